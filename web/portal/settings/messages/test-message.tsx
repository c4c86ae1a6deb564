import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { MessageKind } from '../../../../src/domain/messages/message.ts'
import type { MessageTextName } from '../../../../src/domain/values.ts'
import { ActionButton } from '../../../shared/action-button.tsx'
import { api } from '../../../shared/api.ts'
import { Dialog } from '../../../shared/dialog.tsx'
import { toProblem } from '../../../shared/problem.ts'
import { onSubmit } from '../../on-submit.ts'
import { usePortal } from '../../portal.ts'

type TestProps = {
  kind: MessageKind
  name: MessageTextName
  subject: string | null
  text: string
  close(): void
}

/** Sends the text as it is now, applied or not, to the person who writes it. */
export function TestMessage({ kind, name, subject, text, close }: TestProps) {
  const { tenantId } = usePortal()
  const [to, setTo] = useState('')
  const send = useMutation({
    mutationFn: () => {
      const params = { path: { tenant_id: tenantId } }
      const place = kind === 'sms' ? { phone: to } : { email: to, ...(subject ? { subject } : {}) }
      return api.POST('/admin/accounts/{tenant_id}/test-message', { params, body: { name, text, ...place } })
    },
  })
  return (
    <Dialog title="Send a test" onClose={close}>
      {send.isSuccess ? (
        <>
          <p role="status">
            We’re sending the test to {to}. To check whether it was sent, go to Messages under Account.
          </p>
          <button type="button" className="b" onClick={close}>
            Close
          </button>
        </>
      ) : (
        <form className="fields" onSubmit={onSubmit(() => send.mutate())}>
          <p>The test shows the details of an example order.</p>
          <TextInput
            label={kind === 'sms' ? 'Your mobile number' : 'Your email address'}
            type={kind === 'sms' ? 'tel' : 'email'}
            autoComplete={kind === 'sms' ? 'tel' : 'email'}
            required
            value={to}
            error={send.error ? toProblem(send.error).message : undefined}
            onChange={({ currentTarget }) => setTo(currentTarget.value)}
          />
          <div className="row-of-buttons">
            <ActionButton type="submit" className="b ink" busy={send.isPending}>
              Send
            </ActionButton>
            <button type="button" className="b" onClick={close}>
              Cancel
            </button>
          </div>
        </form>
      )}
    </Dialog>
  )
}
