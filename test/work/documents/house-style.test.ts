// Where the logo of a document comes from: the printed logo of the garage, which is made once.
import { readHouseStyle } from '../../../src/work/documents/generation/house-style.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { execute, select } from '../../support/database/sql.ts';
import { progressiveJpeg } from '../../support/files/jpeg.ts';
import { pngOf } from '../../support/files/picture.ts';
import { database } from '../../support/service/service.ts';

const LOGO = pngOf(300, 90).toString('base64');

describe('the logo that documents print', () => {
  let client: Client;
  let owner: number;
  beforeEach(async () => {
    client = await newClient();
    owner = client.garage.owner;
    expect((await client.put(`/owner/${owner}`, { logo: LOGO })).status).to.equal(200);
  });

  const set = (columns: Record<string, string | null>) =>
    Promise.all(
      Object.entries(columns).map(([name, value]) =>
        execute(database(), `UPDATE owners SET ${name} = ? WHERE id = ?`, [value, owner]),
      ),
    );
  const stored = async () =>
    (await select(database(), 'SELECT printed_logo, version FROM owners WHERE id = ?', [owner]))[0];

  it('is not made again from what the garage sent', async () => {
    const mark = pngOf(50, 20);
    await set({ printed_logo: mark.toString('base64') });

    const { logo } = await readHouseStyle(database(), owner);

    expect(logo).to.deep.equal({ bytes: mark, width: 50, height: 20 });
  });

  it('is made once where it is missing, or of another logo, as after a restore', async () => {
    const before = await stored();
    await set({ printed_logo: null, printed_logo_of: null });
    expect((await readHouseStyle(database(), owner)).logo).to.include({ width: 200, height: 60 });
    expect(await stored()).to.deep.equal(before);

    await set({ logo: pngOf(40, 20).toString('base64') });
    expect((await readHouseStyle(database(), owner)).logo).to.include({ width: 40, height: 20 });
    expect(await stored())
      .to.include({ version: before?.version })
      .and.not.deep.equal(before);
  });

  it('is none where an old logo has too many scans, and nobody looks again', async () => {
    await set({ logo: progressiveJpeg({ scans: 2_000 }).toString('base64'), accent_color: '#0a5c9e' });

    expect(await readHouseStyle(database(), owner)).to.deep.equal({
      accent_color: '#0a5c9e',
      logo: undefined,
    });
    expect(await stored()).to.include({ printed_logo: null });
    expect((await readHouseStyle(database(), owner)).logo).to.equal(undefined);
  });
});
