import { useEffect, useState } from 'react'
import { type SchemaHelp as Help, helpFor } from './schema-at.ts'

/** The meaning of the field under the cursor, and its allowed values. */
export function SchemaHelp({ fields }: { fields: readonly string[] }) {
  const [help, setHelp] = useState<Help | null | undefined>(undefined)
  const path = fields.join('.')
  useEffect(() => {
    let over = false
    void helpFor(path === '' ? [] : path.split('.')).then((found) => {
      if (!over) setHelp(found)
    })
    return () => {
      over = true
    }
  }, [path])
  return (
    <section className="sheet pad" aria-labelledby="help">
      <h2 id="help" className="mono">
        {path || 'The account'}
      </h2>
      {help ? (
        <>
          <p>{help.description ?? 'This field has no description.'}</p>
          {help.values && (
            <p className="dim">
              {help.values.length === 1 ? 'The only allowed value' : 'Allowed values'}:{' '}
              {help.values.join(', ')}.
            </p>
          )}
          {help.fields.length > 0 && (
            <dl className="kv">
              {help.fields.map(({ name, description }) => (
                <div key={name}>
                  <dt className="mono">{name}</dt>
                  <dd>{description}</dd>
                </div>
              ))}
            </dl>
          )}
        </>
      ) : (
        <p className="dim">
          {help === null
            ? 'There’s no help for this field. Check its name.'
            : 'Click a field, or move to it with the arrow keys, to see what it means.'}
        </p>
      )}
    </section>
  )
}
