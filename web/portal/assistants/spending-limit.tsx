import { DollarInput } from '../settings/dollar-input.tsx'
import { SettingsForms } from '../settings/settings-forms.tsx'

/** The account's spending limit, a field of the account document: reviewed and applied like every setting. */
export function SpendingLimit() {
  return (
    <SettingsForms within="/account/assistants">
      <section className="sheet pad below" aria-labelledby="spending-limit">
        <h2 id="spending-limit">Spending limit</h2>
        <div className="fields narrow">
          <p className="dim">
            Set the most that each assistant and each API client may spend through MCP each day. Everyone who
            has connected the same assistant shares its limit. We refuse any change that would exceed the
            limit, or that we can’t price before booking.
          </p>
          <DollarInput
            label="Daily limit"
            description="In dollars, incl. GST. Leave this field empty for no limit."
            place={['assistants', 'spending_limit_cents_per_day']}
          />
        </div>
      </section>
    </SettingsForms>
  )
}
