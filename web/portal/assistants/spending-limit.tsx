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
            Each assistant and each API client may spend at most this much through MCP each day. Everyone who
            has connected the same assistant shares its limit. We refuse a change that would cost more than
            what’s left, or that we can’t price before we book it.
          </p>
          <DollarInput
            label="Daily limit"
            description="In dollars, incl. GST. Leave it empty for no limit."
            place={['assistants', 'spending_limit_cents_per_day']}
          />
        </div>
      </section>
    </SettingsForms>
  )
}
