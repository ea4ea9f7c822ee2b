// The stock statuses of vehicles, one entry each. Without an entry, a new status of LISTS.stockstatuses does not
// compile.
import { LISTS, type ListValue, rowOf } from '../lists.ts';

const { CUSTOMER, STOCK, EXPECTED, DEMO, SOLD, DELIVERED, EXPORTED, SCRAPPED } = LISTS.stockstatuses;

const IS_OF_GARAGE: Readonly<Record<ListValue<'stockstatuses'>, boolean>> = {
  [CUSTOMER]: false,
  [STOCK]: true,
  [EXPECTED]: true,
  [DEMO]: true,
  [SOLD]: false,
  [DELIVERED]: false,
  [EXPORTED]: false,
  [SCRAPPED]: false,
};

/** Whether the vehicle is the garage's, which may sell it: whoever has asked for a quotation. */
export const isOfGarage = (status: number): boolean => rowOf('stockstatuses', IS_OF_GARAGE, status);
