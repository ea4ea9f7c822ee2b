// The contents of an invoice and a credit note, read from the PDF.

import { LISTS } from '../../../../src/core/trade/lists.ts';
import { renderDocument } from '../../../../src/work/documents/pdf/document.ts';
import { expect } from '../../../support/client/expect.ts';
import { readPdf } from '../../../support/files/pdf.ts';
import { line, sample, VEHICLE } from './samples.ts';

const { documenttypes, linekinds, ordertypes, vatcodes } = LISTS;

const read = async (name: string, changes: Parameters<typeof sample>[0] = {}) =>
  readPdf(await renderDocument(sample(changes)), name);

describe('an invoice', () => {
  it('names seller, buyer, numbers and dates as Dutch law requires', async () => {
    const { text } = await read('invoice');

    for (const shown of [
      ...['Garage De Brug', 'Autobedrijf De Brug B.V.', 'Oudegracht 120A', '3511 AX Utrecht'],
      ...['KvK 12345678', 'Btw-nummer NL004495445B01', 'IBAN NL91 ABNA 0417 1643 00', 'ABNANL2A'],
      ...['Anna de Boer', 'Lindelaan 7-2', '3581 KL Utrecht'],
      ...['Factuurnummer F202600007', 'Klantnummer D-1044', 'Inkoop 88'],
      ...['onder vermelding van F202600007', 'algemene voorwaarden van Bovag'],
    ])
      expect(text).to.include(shown);
  });

  it("has dates in the owner's time zone", async () => {
    const { text } = await read('invoice');

    expect(text).to.include('Factuurdatum 6 mei 2026');
    expect(text).to.include('Leverdatum 4 mei 2026');
    expect(text).to.include('Vervaldatum 20 mei 2026');
  });

  it('shows quantity, unit, price, discount, VAT and amount of each line, and the VAT of each rate', async () => {
    const lines = [
      line({ discount_percentage: '12.5000', line_net: '50.99' }),
      line({
        description: 'Fietsreparatie',
        vat_code: vatcodes.LOW,
        price: '1234.5678',
        line_net: '5555.56',
      }),
    ];

    const { text } = await read('rates', { lines });

    expect(text).to.match(/Motorolie 5W30 longlife 4,5 l 12,95 12,5% 21% 50,99/);
    expect(text).to.match(/Fietsreparatie 4,5 l 1\.234,5678 9% 5\.555,56/);
    expect(text).to.match(/21% € 50,99 € 10,71/);
    expect(text).to.match(/9% € 5\.555,56 € 500,00/);
    expect(text).to.include('Totaal exclusief btw € 5.606,55');
    expect(text).to.match(/Totaal inclusief btw € 6\.117,26/);
  });

  it('keeps the VAT rate of the day on which a line was made', async () => {
    const lines = [line({ vat_percentage: '19.0000', line_net: '100.00' }), line({ line_net: '100.00' })];

    const { text } = await read('former-rate', { lines });

    expect(text).to.match(/19% € 100,00 € 19,00/);
    expect(text).to.match(/21% € 100,00 € 21,00/);
    expect(text).to.match(/Totaal inclusief btw € 240,00/);
  });

  it('shows the vehicle, and the vehicle of a line', async () => {
    const traded = { license_plate: '12-ABC-3', vin: 'W0L0AHL3555123456', make: 'Opel', model: 'Astra' };

    const { text } = await read('vehicle', { vehicle: VEHICLE, lines: [line({ vehicle: traded })] });

    for (const shown of ['GB-001-B', 'WVWZZZ1JZ3W000001', 'Volkswagen Golf', '84.210 km'])
      expect(text).to.include(shown);
    expect(text).to.include('Opel Astra · 12-ABC-3 · W0L0AHL3555123456');
  });

  it('shows no VAT on goods under the margin scheme, and names the scheme', async () => {
    const car = line({ line_kind: linekinds.VEHICLE, vat_code: vatcodes.MARGIN, line_net: '12950.00' });

    const mixed = await read('margin', { vehicle: VEHICLE, lines: [car, line()] });
    const alone = await read('margin-alone', { vehicle: VEHICLE, lines: [car] });

    expect(mixed.text).to.include('Bijzondere regeling – gebruikte goederen');
    // The three add up to the total.
    expect(mixed.text).to.match(
      /Margegoederen € 12\.950,00 .*Overig exclusief btw € 58,28 Btw over overig € 12,24/,
    );
    expect(mixed.text).to.include('Totaal € 13.020,52');
    expect(alone.text).not.to.match(/inclusief|exclusief|21%|0,00 €/);
    expect(alone.text).to.include('Totaal € 12.950,00');
  });

  it('shows each line without VAT too, if prices include VAT', async () => {
    const lines = [line(), line({ vat_code: vatcodes.OUTSIDE, line_net: '70.52' })];
    const order = { is_vat_included: 1 };

    const dutch = await read('with-vat', { lines, order });
    const english = await read('with-vat-english', { lines, order, buyer: { language: 'en' } });
    const quotation = await read('with-vat-offer', { lines, order, type: documenttypes.QUOTATION });

    expect(dutch.text.match(/€ [\d,]+ exclusief btw/g)).to.deep.equal(['€ 58,28 exclusief btw']);
    expect(english.text).to.include('€ 58.28 excluding VAT');
    expect(quotation.text).not.to.include('€ 58,28 exclusief btw');
  });

  it("says that VAT is reverse charged, with the buyer's number", async () => {
    const lines = [line({ vat_code: vatcodes.REVERSE_CHARGE })];

    const { text } = await read('reverse-charge', {
      lines,
      buyer: { vat_number: 'DE136695976', country_id: 3 },
    });

    expect(text).to.include('Hierop is de btw verlegd naar btw-nummer DE136695976');
    expect(text).to.include('Duitsland');
    expect(text).to.include('Totaal € 58,28');
    expect(text).not.to.match(/inclusief|exclusief/);
  });

  it('shows the BPM without VAT, as one amount', async () => {
    const bpm = { line_kind: linekinds.BPM, vat_code: vatcodes.OUTSIDE };
    const lines = [line({ ...bpm, line_net: '3411.00' }), line({ ...bpm, line_net: '48.25' })];

    const { text } = await read('bpm', { lines, order: { order_type: ordertypes.BPM } });

    expect(text).to.match(/Buiten de btw € 3\.459,25 –/);
    expect(text).to.include('Totaal € 3.459,25');
    expect(text).to.include('Buiten de heffing van btw');
    expect(text).not.to.match(/inclusief|exclusief|0,00 /);
  });

  it('shows what was paid, what is open, and that nothing is', async () => {
    const partly = await read('partly-paid', {
      payment: { paid: '20.00', offset: '0.00', amount_open: '50.52' },
    });
    const paid = await read('paid', { payment: { paid: '70.52', offset: '0.00', amount_open: '0.00' } });

    expect(partly.text).to.match(/Totaal inclusief btw € 70,52 Betaald € -20,00 Nog te betalen € 50,52/);
    expect(partly.text).to.include('Wij verzoeken u € 50,52 uiterlijk 20 mei 2026');
    expect(paid.text).to.include('Nog te betalen € 0,00');
    expect(paid.text).to.include('Deze factuur is voldaan.');
    expect(paid.text).not.to.match(/verzoeken|Scan/);
  });

  it('calls nothing paid that a credit note settled', async () => {
    const settled = { payment: { paid: '70.52', offset: '50.52', amount_open: '0.00' } };
    const [partly, wholly, english] = [
      await read('partly-settled', settled),
      await read('wholly-settled', { payment: { ...settled.payment, offset: '70.52' } }),
      await read('settled-english', { ...settled, buyer: { language: 'en' } }),
    ];

    expect(partly.text).to.match(/Betaald € -20,00 Verrekend met creditnota € -50,52 Nog te betalen € 0,00/);
    expect(wholly.text).to.match(/€ 70,52 Verrekend met creditnota € -70,52 Nog te betalen € 0,00/);
    expect(wholly.text).to.include('Van deze factuur staat niets meer open.');
    expect(wholly.text).not.to.match(/Betaald|voldaan/);
    expect(english.text).to.match(
      /Paid .*Settled with a credit note .*Nothing of this invoice is left to pay\./,
    );
  });

  it('that credits shows what was paid back', async () => {
    const { text } = await read('paid-back', {
      order: { order_type: ordertypes.INTERNAL_REVERSAL },
      lines: [line({ quantity: '-4.5000', line_net: '-58.28' })],
      payment: { paid: '-20.52', offset: '-20.52', amount_open: '-50.00' },
    });

    expect(text).to.match(/€ -70,52 Verrekend of terugbetaald € 20,52 Nog terug te betalen € -50,00/);
    expect(text).to.include('Het bedrag van € 50,00 wordt met u verrekend of aan u terugbetaald.');
  });

  it('calls itself what it is once it is settled, whichever side pays', async () => {
    const back = [line({ quantity: '-4.5000', line_net: '-58.28' })];
    const order = { order_type: ordertypes.INTERNAL_REVERSAL };
    const payment = { paid: '-70.52', offset: '0.00', amount_open: '0.00' };
    const [paidOut, credited] = [
      await read('paid-out', { lines: back, payment }),
      await read('credit-of-a-credit', { order, payment: { ...payment, paid: '70.52', offset: '70.52' } }),
    ];

    expect(paidOut.text).to.include('Deze factuur is voldaan.');
    expect(credited.text).to.match(/€ 70,52 Verrekend of terugbetaald € -70,52/);
    expect(credited.text).to.include('Deze creditnota is verrekend of terugbetaald.');
  });

  it('needs no words of the law for a remark', async () => {
    const remark = {
      line_kind: linekinds.TEXT,
      description: 'Beurt bij 90.000 km',
      quantity: '1',
      price: '0',
    };
    const lines = [line(), line({ ...remark, line_net: '0.00', vat_code: vatcodes.OUTSIDE })];

    const { text } = await read('remark', { lines });

    expect(text).to.include('Beurt bij 90.000 km').and.not.include('Buiten de heffing');
  });

  it('of a credit order is a credit note that names the invoice', async () => {
    const credited = { invoice_number: 'F202600003', invoice_date: '2026-04-01 12:00:00' };
    const order = { order_type: ordertypes.INTERNAL_REVERSAL };
    const lines = [line({ quantity: '-4.5000', line_net: '-58.28' })];

    for (const type of [documenttypes.CREDIT_NOTE, documenttypes.INVOICE]) {
      const { text } = await read('credit-note', { type, credited, order, lines });

      expect(text).to.match(/Creditnota .*Creditnotanummer F202600007/);
      expect(text).to.match(/Creditering van factuur F202600003 Factuur van 1 april 2026/);
      expect(text).to.include('€ -70,52');
      expect(text).to.include('Het bedrag van € 70,52 wordt met u verrekend');
      expect(text).not.to.include('Vervaldatum');
    }
  });

  it('stays an invoice if a credit note was requested', async () => {
    const { text } = await read('invoice', { type: documenttypes.CREDIT_NOTE });

    expect(text).to.match(/Factuur .*Factuurnummer F202600007/);
    expect(text).not.to.match(/credit/i);
  });
});
