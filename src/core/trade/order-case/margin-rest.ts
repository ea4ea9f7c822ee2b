// The rest of the VAT within the margins of an invoice: in all, and for each vehicle. A credit note may lower a price,
// and may lack the purchase price, but it never takes back more VAT than the margins still bear.
import { LISTS } from '../lists.ts';
import type { SettledAmounts } from '../settle.ts';
import { cents, euros } from '../totals.ts';
import type { CaseLine, CaseOrder, LineRow } from './line.ts';
import { vehicleOf } from './margin.ts';

const { MARGIN } = LISTS.vatcodes;

/** In cents. */
export interface MarginRest {
  /** The rest of all lines of the invoice and of its credit notes. */
  readonly whole: bigint;
  /** The rest of the lines of each vehicle that the invoice sells under the scheme, by the ID of the vehicle. */
  readonly byVehicle: ReadonlyMap<number, bigint>;
  /** The vehicles of the lines of the invoice under the scheme, by the ID of the line. Null: the line has none. */
  readonly vehicles: ReadonlyMap<number, number | null>;
}

/** `lines`: those of the invoice and of its credit notes. */
export function marginRestOf(
  invoice: Pick<CaseOrder, 'id' | 'order_type' | 'vehicle_id'>,
  lines: readonly CaseLine[],
): MarginRest {
  const sold = lines.filter(({ order_id, vat_code }) => order_id === invoice.id && vat_code === MARGIN);
  const vehicles = new Map<number, number | null>(sold.map((line) => [line.id, vehicleOf(line, invoice)]));
  const left = new Left(0n, new Map());
  for (const vehicle of vehicles.values()) if (vehicle !== null) left.byVehicle.set(vehicle, 0n);
  for (const line of lines) left.add(vehicleIn(vehicles, line), line.margin);
  return { whole: left.whole, byVehicle: left.byVehicle, vehicles };
}

type Line = Pick<LineRow, 'id' | 'credited_line_id' | 'vehicle_id'>;

/**
 * The vehicle of a line of the invoice, or of a credit note. A line that takes back a line of the invoice has the
 * vehicle of that line. A line made by hand may name a vehicle; if it names none, the rest in all limits it.
 */
const vehicleIn = (
  vehicles: MarginRest['vehicles'],
  { id, credited_line_id, vehicle_id }: Line,
): number | null => vehicles.get(id) ?? vehicles.get(credited_line_id ?? 0) ?? vehicle_id;

/** The rest of the margins, which each line of a credit note lowers in turn. */
class Left {
  whole: bigint;
  readonly byVehicle: Map<number, bigint>;

  constructor(whole: bigint, byVehicle: Map<number, bigint>) {
    this.whole = whole;
    this.byVehicle = byVehicle;
  }

  /** Adds a margin, or takes a margin below 0. */
  add(vehicle: number | null, margin: bigint): void {
    this.whole += margin;
    const own = this.byVehicle.get(vehicle ?? 0);
    if (own !== undefined) this.byVehicle.set(vehicle ?? 0, own + margin);
  }

  /** The most that a line of this vehicle can take back: 0 or more. */
  of(vehicle: number | null): bigint {
    const own = this.byVehicle.get(vehicle ?? 0) ?? this.whole;
    const least = own < this.whole ? own : this.whole;
    return least > 0n ? least : 0n;
  }
}

/** Lowers what the lines of a credit note take back to what is left of the margins. */
export function withinMargin(
  lines: readonly Line[],
  amounts: readonly SettledAmounts[],
  { whole, byVehicle, vehicles }: MarginRest,
): SettledAmounts[] {
  const left = new Left(whole, new Map(byVehicle));
  const taking = amounts.map((settled, index) => {
    const line = lines[index];
    const vehicle = line ? vehicleIn(vehicles, line) : null;
    return { settled, vehicle, margin: cents(settled.margin_vat ?? '0') };
  });
  // A margin above 0 mends an earlier credit note that took back too much of its line. The other lines can take that.
  for (const { vehicle, margin } of taking) if (margin > 0n) left.add(vehicle, margin);
  return taking.map(({ settled, vehicle, margin }) => {
    if (margin >= 0n) return settled;
    const most = left.of(vehicle);
    const taken = margin < -most ? -most : margin;
    left.add(vehicle, taken);
    return { ...settled, margin_vat: euros(taken) };
  });
}
