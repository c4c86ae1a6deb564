import type { Api } from './api.ts'

/** A token of a new client that has only these scopes and these stores of the demo account. */
export async function limitedToken(
  { operator, tokenOf }: Api,
  store_references: readonly string[],
  scopes: readonly string[] = ['quotes'],
): Promise<string> {
  const { json } = await operator('POST /admin/accounts/demo/clients', {
    body: { name: 'Some stores', scopes, store_references },
  })
  return tokenOf(json.data.client_id, json.data.client_secret)
}
