// The next change of a VAT rate needs one row. A copy of the program has a row for 2030 more, and that is all.
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LISTS } from '../../src/core/trade/lists.ts';
import { dayOf } from '../support/build/day.ts';
import type { Json } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { readPdf } from '../support/files/pdf.ts';
import { GROUPS, pdfOf, readUbl, TOTALS } from '../support/files/ubl.ts';
import { bytesOf, namesIn } from '../support/files/zip.ts';
import {
  COMPILED,
  processEnvironment,
  type StartedProcess,
  startProcess,
} from '../support/process/process.ts';
import { openTenant, type Tenant } from '../support/process/process-garage.ts';
import { until } from '../support/service/until.ts';

const { ordertypes, vatcodes, orderstatuses, linekinds, stockstatuses, documenttypes } = LISTS;
const ROW = "{ from: '2012-10-01', percentage: '21' },";
const NEXT = "{ from: '2030-01-01', percentage: '23' },";

describe('a VAT rate from 2030 on', function () {
  this.timeout(120_000);
  let folder: string;
  let service: StartedProcess;
  let tenant: Tenant;
  let contact_id: number;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-rate-'));
    const compiled = join(folder, 'dist');
    await cp(COMPILED, compiled, { recursive: true });
    await symlink(join(COMPILED, '../node_modules'), join(folder, 'node_modules'));
    const file = join(compiled, 'src/core/trade/vat-rate.js');
    const rates = await readFile(file, 'utf8');
    expect(rates.split(ROW)).to.have.length(2);
    await writeFile(file, rates.replace(ROW, ROW + NEXT));
    const env = processEnvironment(join(folder, 'storage'));
    tenant = await openTenant(env);
    service = await startProcess(env, compiled);
    const address = { street: 'Dam', huisnummer: 1, postcode: '1012 JS', city: 'Amsterdam', country_id: 1 };
    const buyer = { contact_kind: LISTS.contactkinds.PERSON, last_name: 'Visser', ...address };
    contact_id = (await ask('POST', '/contact', buyer)).id;
    const seller = { vat_number: 'NL004495445B01', kvk_number: '12345678', iban: 'NL91ABNA0417164300' };
    const garage = { name: 'Garage', ...seller, ...address };
    await ask('PUT', `/owner/${tenant.owner}`, { ...garage, margin_method: LISTS.marginmethods.INDIVIDUAL });
  });
  after(async () => {
    await service.kill('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  });

  // biome-ignore lint/suspicious/noExplicitAny: records are read by name in tests, whatever the resource
  const ask = async (method: string, path: string, body?: Json): Promise<any> => {
    const answer = await tenant.ask(service.url, method, path, body);
    expect(answer.status, `${path} ${answer.text}`).to.be.within(200, 202);
    return answer.data;
  };
  const invoiced = async (order: Json, line: Json) => {
    const body = { order_date: '2026-05-01', contact_id, buyer_reference: 'KP-7', ...order };
    const { id } = await ask('POST', '/order', body);
    await ask('POST', '/orderline', { order_id: id, description: 'Beurt', quantity: 1, ...line });
    return ask('PUT', `/order/${id}`, { order_status: orderstatuses.INVOICE });
  };
  const eInvoiceOf = async (id: number) => {
    const body = { document_type: documenttypes.UBL, order_ids: [id] };
    const { job_id } = await ask('POST', '/document/generate', body);
    await until(async () => ((await ask('GET', `/job/${job_id}`)).status === 'done' ? true : undefined));
    const archives = join(folder, 'storage/archives');
    const [file = ''] = await readdir(archives);
    const zip = join(archives, file);
    const [name = ''] = await namesIn(zip);
    return bytesOf(zip, name);
  };

  it('holds in totals, PDF, e-invoice, margin and VAT return', async () => {
    const work = { order_type: ordertypes.WORKSHOP };
    const high = { line_kind: linekinds.LABOUR, price: 100, vat_code: vatcodes.HIGH };
    const last = await invoiced({ ...work, supply_date: '2029-12-31T12:00:00Z' }, high);
    const first = await invoiced({ ...work, supply_date: '2030-01-01T12:00:00Z' }, high);
    const car = {
      vehicle_kind: 1,
      make: 'Opel',
      model: 'Astra',
      license_plate: 'GB-001-B',
      purchase_price: 5000,
    };
    const stock = { stock_status: stockstatuses.STOCK, tax_kind: LISTS.taxkinds.MARGIN };
    const { id: vehicle_id } = await ask('POST', '/vehicle', { ...car, ...stock });
    const sale = { order_type: ordertypes.VEHICLE_SALES, vehicle_id, supply_date: '2030-01-01T12:00:00Z' };
    const sold = { line_kind: linekinds.VEHICLE, price: 6230, vat_code: vatcodes.MARGIN };
    await invoiced(sale, sold);

    const xml = await eInvoiceOf(first.id);
    const year = dayOf(first.invoice_date).slice(0, 4);
    const { '1a': box } = await ask('GET', `/vatreturn?from=${year}-01-01&to=${year}-12-31`);

    expect([last.total_gross, first.total_gross]).to.deep.equal([121, 123]);
    const { vat, percent } = readUbl(xml, { ...TOTALS, ...GROUPS });
    expect([vat, percent]).to.deep.equal([['23.00'], ['23']]);
    expect((await readPdf(pdfOf(xml), 'rate-of-2030')).text).to.match(/23% € 100,00 € 23,00/);
    // 100 twice, and a margin of 1,230 with 230 VAT.
    expect(box).to.deep.equal({ base: 1200, vat: 274 });
  });
});
