/** What the sandbox carriers charge their customer, GST in: simple on purpose, and not the rate card. */
const TARIFF: Readonly<Record<string, { baseCents: number; centsPerKg: number }>> = {
  'SW-NOW': { baseCents: 760, centsPerKg: 0 },
  'SW-TODAY': { baseCents: 640, centsPerKg: 0 },
  'SP-ROAD': { baseCents: 820, centsPerKg: 50 },
  'SP-AIR': { baseCents: 1310, centsPerKg: 140 },
  'BH-FRT': { baseCents: 4100, centsPerKg: 33 },
}

// An account may name its products as it likes; the sandbox carries them all.
const OTHER = { baseCents: 900, centsPerKg: 60 }

/** The charge in cents for a product by its carrier code. */
export function chargeCents(product: string, totalKg: number): number {
  const { baseCents, centsPerKg } = TARIFF[product] ?? OTHER
  return baseCents + Math.round(centsPerKg * totalKg)
}
