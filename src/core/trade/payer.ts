// Who pays an order: the contact that gets its invoice, else the contact whose order it is. On a purchase this contact
// is the seller: the invoice prints the seller, and takes the VAT number, the agreement and the series from the seller.
export const payerOf = (order: {
  readonly contact_id: number;
  readonly invoice_contact_id: number | null;
}): number => order.invoice_contact_id ?? order.contact_id;
