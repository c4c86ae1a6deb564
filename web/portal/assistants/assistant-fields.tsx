import { Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { AssistantRequest } from '../../shared/api.generated.ts'
import { FieldError } from '../field-error.tsx'
import { fieldProblems } from '../field-problems.ts'

/** The name and redirect URLs of an assistant, with the server's messages at their fields. */
export function useAssistantFields(
  error: unknown,
  first?: AssistantRequest,
): { fields: ReactNode; typed: AssistantRequest; clear(): void } {
  const [name, setName] = useState(first?.name ?? '')
  const [addresses, setAddresses] = useState(first?.redirect_urls.join('\n') ?? '')
  const problems = fieldProblems(error, ['name', 'redirect_urls'])
  const fields = (
    <>
      <TextInput
        label="Name"
        description="The name that people see when they connect the assistant, such as “Claude”"
        required
        maxLength={100}
        value={name}
        error={problems.at('name')}
        errorProps={{ role: 'alert' }}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label="Redirect URLs"
        description="One URL per line, exactly as in the assistant’s documentation (which may call them callback URLs)"
        required
        rows={Math.max(2, first?.redirect_urls.length ?? 0)}
        value={addresses}
        error={problems.at('redirect_urls')}
        errorProps={{ role: 'alert' }}
        onChange={(event) => setAddresses(event.currentTarget.value)}
      />
      <FieldError error={problems.rest} />
    </>
  )
  return {
    fields,
    typed: { name, redirect_urls: addresses.split(/\s+/).filter(Boolean) },
    clear() {
      setName('')
      setAddresses('')
    },
  }
}
