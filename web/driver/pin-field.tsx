/** The customer's four-digit PIN. */
export function PinField({ value, onChange }: { value: string; onChange(value: string): void }) {
  return (
    <label className="field digits">
      The customer’s PIN
      <input
        inputMode="numeric"
        autoComplete="off"
        maxLength={4}
        value={value}
        onChange={(event) => onChange(event.target.value.replace(/\D/g, ''))}
      />
    </label>
  )
}
