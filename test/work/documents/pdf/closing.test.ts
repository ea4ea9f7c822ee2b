// The end of a document: what stays together on a page, trade-ins, signatures and boxes.

import { LISTS } from '../../../../src/core/trade/lists.ts';
import { renderDocument } from '../../../../src/work/documents/pdf/document.ts';
import { totalsOf } from '../../../../src/work/documents/pdf/totals.ts';
import { expect } from '../../../support/client/expect.ts';
import { readPages, readPdf } from '../../../support/files/pdf.ts';
import { line, sample, VEHICLE } from './samples.ts';

const { documenttypes, linekinds, ordertypes, vatcodes } = LISTS;
type Changes = Parameters<typeof sample>[0];

const read = async (name: string, changes: Changes = {}) =>
  readPdf(await renderDocument(sample(changes)), name);

const LONG = 'Grote beurt volgens het voorschrift van de fabriek, met alle filters en vloeistoffen. '.repeat(
  3,
);
const lines = (count: number, description = 'Remblokken') =>
  Array.from({ length: count }, (_, index) => line({ description, article_number: `A-${index}` }));
const CAR = line({
  line_kind: linekinds.VEHICLE,
  description: 'Volkswagen Golf',
  vat_code: vatcodes.MARGIN,
  line_net: '12950.00',
});
const TRADE_IN = line({
  line_kind: linekinds.TRADE_IN,
  description: 'Inruilauto',
  vat_code: vatcodes.OUTSIDE,
  line_net: '-3000.00',
  vehicle: { license_plate: 'GB-002-B', vin: null, make: 'Opel', model: 'Corsa' },
});

describe('the end of a document', () => {
  it('stands on one page with at least two lines, and the code beside the totals', async () => {
    const counts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 60];
    for (const count of counts)
      for (const description of ['Remblokken', LONG.trim()]) {
        const pages = await readPages(
          await renderDocument(sample({ vehicle: VEHICLE, lines: lines(count, description) })),
          'kept',
        );

        const last = pages.findIndex((page) => page.includes('Totaal inclusief btw'));
        const rows = pages.map((page) => page.match(/Art\. A-/g)?.length ?? 0);
        expect(rows[last], `${count} lines`).to.be.at.least(Math.min(count, 2));
        expect(pages[last]).to.match(/Scan en betaal.*verzoeken u/s);
        expect(rows, `${count} lines`).not.to.include(0);
      }
  });

  it('stays with the last lines of an endless description', async () => {
    const endless = line({ description: 'regel\n'.repeat(42).trim() });

    const { pages } = await read('endless', { vehicle: VEHICLE, lines: [endless] });

    expect(pages).to.have.length(2);
    expect(pages[1]).to.match(/regel.*Totaal inclusief btw/s);
  });

  it('keeps signatures with the lines of a quotation', async () => {
    for (const count of [7, 8, 9, 10, 11, 12, 13, 14]) {
      const quotation = sample({ type: documenttypes.QUOTATION, lines: lines(count) });
      const pages = await readPages(await renderDocument(quotation), 'signed');

      expect(pages.at(-1), `${count} lines`).to.match(/Art\. A-.*Totaal inclusief btw.*Voor akkoord/s);
    }
  });

  it('shows a trade-in as the sale, its total, and what is taken off', async () => {
    const traded = { order: { order_type: ordertypes.VEHICLE_SALES }, lines: [CAR, TRADE_IN, line()] };

    const dutch = await read('trade-in', traded);
    const english = await read('trade-in', { ...traded, buyer: { language: 'en' } });

    expect(dutch.text).to.match(/Margegoederen € 12\.950,00 .*Overig exclusief btw € 58,28/);
    expect(dutch.text).to.match(/Totaal € 13\.020,52 .*Af: inruil € -3\.000,00 .*Te betalen € 10\.020,52/);
    expect(dutch.text).to.match(/Ingeruild: Inruilauto · Opel Corsa · GB-002-B/);
    expect(dutch.text).to.match(/Wij verzoeken u € 10\.020,52/);
    expect(dutch.text).not.to.include('Buiten de');
    expect(english.text).to.match(/Total € 13,020\.52 .*Less: trade-in € -3,000\.00 .*To pay € 10,020\.52/);
  });

  it('adds up where the trade-in bears VAT, with prices with and without VAT', () => {
    const sold = { vat_code: vatcodes.HIGH, line_net: '100.00', line_gross: '121.00' };
    const taken = { ...TRADE_IN, vat_code: vatcodes.HIGH, line_net: '-10.00', line_gross: '-12.10' };

    for (const is_vat_included of [0, 1]) {
      const totals = totalsOf(sample({ lines: [line(sold), taken], order: { is_vat_included } }));

      expect(totals).to.deep.include({ vat: '21.00', gross: '121.00', due: '108.90' });
      expect(totals.tradeIn).to.deep.equal({ gross: '-12.10', vat: '-2.10' });
    }
  });

  it('has the VAT of the sale as the books have it: of the order, less that of the trade-in', () => {
    const amounts = (net: string, gross: string) => ({ line_net: net, line_gross: gross });
    const taken = (net: string, gross: string) => ({
      ...TRADE_IN,
      ...amounts(net, gross),
      vat_code: vatcodes.HIGH,
    });
    // Each deposit has 17.36 VAT, together 86.80: 21 % of their nets would be 86.77.
    const deposit = line({ ...amounts('-82.64', '-100.00'), line_kind: linekinds.DEPOSIT });
    const sale = [line(amounts('10000.00', '12100.00')), taken('-1000.00', '-1210.00')];
    const deposits = Array.from({ length: 5 }, () => deposit);
    const deducted = totalsOf(sample({ lines: [...sale, ...deposits], order: { vat_high: '1803.20' } }));
    // 21 % of 100.03 is 21.01, of 10.01 it is 2.10, and of both it is 18.90.
    const cent = [line(amounts('100.03', '121.04')), taken('-10.01', '-12.11')];
    const rounded = totalsOf(sample({ lines: cent, order: { vat_high: '18.90' } }));

    expect(deducted).to.deep.include({ taxedNet: '9586.80', vat: '2013.20', gross: '11600.00' });
    expect(deducted).to.deep.include({ tradeIn: { gross: '-1210.00', vat: '-210.00' }, due: '10390.00' });
    expect(rounded).to.deep.include({ taxedNet: '100.03', vat: '21.00', gross: '121.03' });
    expect(rounded).to.deep.include({ tradeIn: { gross: '-12.11', vat: '-2.10' }, due: '108.92' });
  });

  it('gives a trade-in back on a credit note, and leaves a purchase as it is', async () => {
    const order = { order_type: ordertypes.INTERNAL_REVERSAL };
    const back = [
      line({ line_net: '-12950.00', vat_code: vatcodes.MARGIN }),
      { ...TRADE_IN, line_net: '3000.00' },
    ];
    const purchase = { order: { order_type: ordertypes.VEHICLE_PURCHASE }, lines: [CAR, TRADE_IN] };

    const { text } = await read('trade-in-back', { order, lines: back });

    expect(text).to.match(/Totaal € -12\.950,00 .*Inruil terug € 3\.000,00 .*Terug te betalen € -9\.950,00/);
    expect(totalsOf(sample(purchase)).tradeIn).to.equal(undefined);
  });

  it('has room for both signatures on a sales agreement', async () => {
    const agreed = {
      type: documenttypes.ORDER_CONFIRMATION,
      order: { order_type: ordertypes.VEHICLE_SALES },
    };

    const dutch = await read('sales-agreement', { ...agreed, lines: [CAR] });
    const english = await read('sales-agreement', { ...agreed, buyer: { language: 'en' } });

    expect(dutch.info.get('Title')).to.equal('Koopovereenkomst 1207');
    expect(dutch.text).to.match(
      /^ ?Garage De Brug.*Koopovereenkomst.*Handtekening koper Handtekening verkoper/,
    );
    expect(english.text).to.match(/Sales agreement.*Signature of buyer Signature of seller/);
  });

  it("has boxes for mileage, tyres and notes on a work order, and the customer's telephone number", async () => {
    const phones = ['+31 6 1234 5678', '+31 30 765 4321'];

    const { text, pages } = await read('work-order', {
      type: documenttypes.WORK_ORDER,
      vehicle: VEHICLE,
      lines: lines(3),
      phones,
    });

    expect(text).to.match(/Telefoon \+31 6 1234 5678 .*\+31 30 765 4321/);
    expect(text).to.match(/Kilometerstand Banden \(mm\) LV RV LA RA km Opmerkingen/);
    expect(pages).to.have.length(1);
  });

  it('prints how long a quotation stands, the reference of the buyer, and who drives', async () => {
    const valid_until = '2026-05-20 10:00:00.000';
    const quotation = await read('valid-until', { type: documenttypes.QUOTATION, order: { valid_until } });
    const invoice = await read('driver', { driver: 'Nguyễn Thị Hằng', buyer: { language: 'en' } });

    expect(quotation.text).to.match(/Geldig tot 20 mei 2026.*Inkoopreferentie KP-7/);
    expect(invoice.text).to.match(/Buyer reference KP-7.*Driver Nguyễn Thị Hằng/);
  });

  it('prints the date of supply on every document that has one', async () => {
    for (const type of [
      ...[documenttypes.INVOICE, documenttypes.QUOTATION, documenttypes.ORDER_CONFIRMATION],
      ...[documenttypes.WORK_ORDER, documenttypes.PURCHASE_STATEMENT],
    ]) {
      expect((await read('supplied', { type })).text, String(type)).to.include('Leverdatum 4 mei 2026');
      const order = { supply_date: null };
      expect((await read('not-supplied', { type, order })).text).not.to.include('Leverdatum');
    }
  });

  it('has the name for print, and no other', async () => {
    const buyer = { company_name: 'شركة', first_name: 'محمد', print_name: 'Sharikat Mohammed' };

    const { text } = await read('print-name', { buyer });

    expect(text).to.include('Sharikat Mohammed Factuurnummer');
    expect(text).not.to.match(/\?|de Boer|t\.a\.v\./);
  });
});

describe('the papers of a purchase', () => {
  it('are an invoice that the buyer makes out, with the account of the seller', async () => {
    const purchase = {
      isSelfBilled: true,
      seller: { name: 'Autohandel Peters B.V.', legal_name: null, iban: 'NL20INGB0001234567', bic: null },
      buyer: { company_name: 'Autobedrijf De Brug B.V.', vat_number: 'NL004495445B01' },
    };

    const dutch = await read('self-billed', purchase);
    const english = await read('self-billed', { ...purchase, buyer: { language: 'en' } });

    expect(dutch.text).to.match(/^ ?Autohandel Peters B\.V\..*Factuur Factuur uitgereikt door afnemer Koper/);
    expect(dutch.text).to.match(/Autobedrijf De Brug B\.V\..*Btw-nummer koper NL004495445B01/);
    expect(dutch.text).to.match(
      /Wij betalen u € 70,52 uiterlijk 20 mei 2026 op IBAN NL20 INGB 0001 2345 67 ten name van Autohandel Peters B\.V\. /,
    );
    expect(english.text).to.include('Self-billing (Factuur uitgereikt door afnemer)');
  });

  it('are a statement that the seller signs', async () => {
    const statement = {
      type: documenttypes.PURCHASE_STATEMENT,
      vehicle: VEHICLE,
      order: { order_type: ordertypes.VEHICLE_PURCHASE, invoice_number: 'IV-202600001' },
      lines: [CAR],
    };

    const { text, info } = await read('purchase-statement', statement);
    const english = await read('purchase-statement', { ...statement, buyer: { language: 'en' } });

    expect(info.get('Title')).to.equal('Inkoopverklaring IV-202600001');
    for (const shown of [
      ...['Verkoper Nummer IV-202600001', 'Anna de Boer Datum 6 mei 2026', 'Koper Autobedrijf De Brug B.V.'],
      ...['GB-001-B', 'WVWZZZ1JZ3W000001', '84.210 km', 'Aankoopbedrag € 12.950,00'],
      ...['geen btw in aftrek heeft gebracht', 'Handtekening verkoper'],
    ])
      expect(text).to.include(shown);
    expect(text).not.to.match(/Bijzondere regeling|te betalen|marge/);
    expect(english.text).to.match(/Purchase statement.*no VAT was deducted for this vehicle/);
  });
});
