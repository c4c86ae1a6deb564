/** `0491 570 156`; foreign numbers unchanged. */
export function formatPhone(phone: string): string {
  const national = /^\+61(4\d{2})(\d{3})(\d{3})$/.exec(phone)
  if (national) return `0${national[1]} ${national[2]} ${national[3]}`
  const landline = /^\+61([2378])(\d{4})(\d{4})$/.exec(phone)
  return landline ? `0${landline[1]} ${landline[2]} ${landline[3]}` : phone
}
