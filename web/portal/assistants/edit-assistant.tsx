import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { isSame } from '../../../src/domain/account/differences.ts'
import type { Assistant } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { DialogButtons } from '../dialog-buttons.tsx'
import { sentByButton } from '../on-submit.ts'
import { usePortal } from '../portal.ts'
import { useAssistantFields } from './assistant-fields.tsx'

type EditAssistantProps = { assistant: Assistant; stale: QueryKey; onClose(): void }

/** Changes an assistant's name and redirect URLs. Only what the admin changed is sent: another admin's change stays. */
export function EditAssistant({ assistant, stale, onClose }: EditAssistantProps) {
  const { tenantId } = usePortal()
  const queries = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => {
      const params = { path: { tenant_id: tenantId, assistant_id: assistant.id } }
      const body = {
        ...(isRenamed && { name: typed.name }),
        ...(hasOtherUrls && { redirect_urls: typed.redirect_urls }),
      }
      return api.PATCH('/{tenant_id}/assistants/{assistant_id}', { params, body })
    },
    onSuccess: onClose,
    onSettled: () => queries.invalidateQueries({ queryKey: stale }),
  })
  const { fields, typed } = useAssistantFields(error, assistant)
  const isRenamed = typed.name !== assistant.name
  const hasOtherUrls = !isSame(typed.redirect_urls, assistant.redirect_urls)
  const removesUrl = assistant.redirect_urls.some((url) => !typed.redirect_urls.includes(url))
  return (
    <Dialog title={`Edit ${assistant.name}`} onClose={onClose}>
      <p className="dim">
        Your changes will take effect straight away. People who have connected this assistant will stay
        connected. To end its access for everyone, remove it instead.
      </p>
      <form {...sentByButton(() => mutate())} className="fields narrow">
        {fields}
        {removesUrl && (
          <p className="dim" role="status">
            You’ve changed or removed a redirect URL. Nobody will be able to connect this assistant through
            the old one.
          </p>
        )}
        <DialogButtons
          submitLabel="Save"
          busy={isPending}
          disabledReason={!isRenamed && !hasOtherUrls && 'You haven’t changed anything.'}
          onClose={onClose}
        />
      </form>
    </Dialog>
  )
}
