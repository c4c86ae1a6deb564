/** The name of the store's printer, after the verb of a button: staff choose it in their browser's print dialog. */
export function OnPrinter({ name }: { name: string | undefined }) {
  return name === undefined ? null : <span className="on-printer">on {name}</span>
}
