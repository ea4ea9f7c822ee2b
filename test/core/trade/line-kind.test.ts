import { expect } from 'chai';
import { TAKING_TIME } from '../../../src/core/trade/kinds/appointment-status.ts';
import { isGiven } from '../../../src/core/trade/kinds/approval-status.ts';
import { GOODS_BY_AMOUNT, kindRow, NO_GOODS, NO_PRICE } from '../../../src/core/trade/kinds/line-kind.ts';
import { TARGETS } from '../../../src/core/trade/kinds/order-type.ts';
import { isPurchase, PURCHASE_TYPES } from '../../../src/core/trade/kinds/purchase.ts';
import { paperOf } from '../../../src/core/trade/kinds/purchase-proof.ts';
import { isOfGarage } from '../../../src/core/trade/kinds/stock-status.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';

const { appointmentstatuses, approvalstatuses, linekinds, ordertypes, purchaseproofs, stockstatuses } = LISTS;

describe('kinds and types', () => {
  it('tell goods from work, deposits and texts', () => {
    expect(NO_GOODS).to.deep.equal([linekinds.LABOUR, linekinds.DEPOSIT]);
    expect(GOODS_BY_AMOUNT).to.deep.equal([linekinds.TEXT]);
  });

  it('tell what is no part of the price, and what a BPM order takes', () => {
    const onBpmOrder = Object.values(linekinds).filter((kind) => kindRow(kind).isOnBpmOrder);

    expect(NO_PRICE).to.deep.equal([linekinds.TRADE_IN, linekinds.DEPOSIT]);
    expect(onBpmOrder).to.deep.equal([linekinds.BPM, linekinds.FEE]);
  });

  it('tell purchases from sales, and which orders take deposits', () => {
    const { VEHICLE_PURCHASE, INTERNAL_REVERSAL } = ordertypes;
    const types = Object.values(ordertypes);

    expect(PURCHASE_TYPES).to.deep.equal([VEHICLE_PURCHASE]);
    expect(types.filter((type) => isPurchase(INTERNAL_REVERSAL, type))).to.deep.equal([VEHICLE_PURCHASE]);
    expect(types.filter((type) => isPurchase(ordertypes.WORKSHOP, type))).to.deep.equal([]);
    expect(TARGETS).to.deep.equal([ordertypes.WORKSHOP, ordertypes.VEHICLE_SALES]);
  });

  it('tell what the garage makes of a purchase', () => {
    const papers = [...Object.values(purchaseproofs), null].map(paperOf);

    expect(papers).to.deep.equal(['nothing', 'invoice', 'statement', 'nothing']);
  });

  it('tell which cars are the garage’s, which approvals are given, and which appointments take time', () => {
    const { STOCK, EXPECTED, DEMO } = stockstatuses;
    const { APPROVED, PARTLY } = approvalstatuses;
    const { PLANNED, ARRIVED, STARTED, DONE } = appointmentstatuses;

    expect(Object.values(stockstatuses).filter(isOfGarage)).to.deep.equal([STOCK, EXPECTED, DEMO]);
    expect(Object.values(approvalstatuses).filter(isGiven)).to.deep.equal([APPROVED, PARTLY]);
    expect(TAKING_TIME).to.deep.equal([PLANNED, ARRIVED, STARTED, DONE]);
  });
});
