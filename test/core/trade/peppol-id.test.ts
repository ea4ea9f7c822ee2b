// Addresses on the Peppol network, by their scheme.
import { expect } from 'chai';
import { normalisePeppolId, splitPeppolId } from '../../../src/core/trade/identity/peppol-id.ts';

const GOOD = words(
  `0106:12345678 0190:00000001003214345000 9944:NL004495445B01 9944:nl004495445b01 0088:7300010000001 0208:0202239951
  0007:5567321707 0192:974760673 0151:51824753556 0184:DK12345678 0184:12345678 0096:1234567890 0198:DK12345678
  9930:DE136695976 0009:73282932000074 9957:a:b`,
);
const BAD = words(
  `0106:1234567 0190:1 9944:NL004495446B01 9944:DE136695976 0088:7300010000002 0208:0202239952 0007:5567321708
  0192:974760674 0192:000000000 0151:51824753557 0184:1234567 0198:12345678 9999:1 0000:1 106:12345678 0106 0106: :1
  AN:1 iso6523-actorid-upis::0106:12345678`,
);

describe('an address on the Peppol network', () => {
  it('has a known scheme and a value that fits it', () => {
    expect(GOOD.map(normalisePeppolId)).to.deep.equal(GOOD);
    expect(BAD.filter(normalisePeppolId)).to.deep.equal([]);
  });

  it('is stored without blanks around it, and has none inside', () => {
    expect(normalisePeppolId(' 0106:12345678\n')).to.equal('0106:12345678');
    expect(['', ' ', '0009: 1', '0009:1 2', '0009:é', '0009:\u0001'].filter(normalisePeppolId)).to.deep.equal(
      [],
    );
    expect(normalisePeppolId(`0009:${'1'.repeat(56)}`)).to.equal(undefined);
  });

  it('is split at its first colon', () => {
    expect(splitPeppolId('9957:a:b')).to.deep.equal({ scheme: '9957', value: 'a:b' });
  });
});

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
