const root = document.documentElement
const stored = localStorage.getItem('scheme')
root.dataset.scheme = stored ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
document.getElementById('scheme').addEventListener('click', () => {
  root.dataset.scheme = root.dataset.scheme === 'dark' ? 'light' : 'dark'
  localStorage.setItem('scheme', root.dataset.scheme)
})

const find = document.getElementById('find')
find.addEventListener('input', () => {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean)
  let shown = 0
  for (const part of document.querySelectorAll('[data-find]')) {
    part.hidden = !words.every((word) => part.dataset.find.includes(word))
    if (!part.hidden && part.tagName === 'SECTION') shown++
  }
  document.getElementById('none').hidden = shown > 0
})
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.matches('input')) return
  event.preventDefault()
  find.focus()
})

for (const button of document.querySelectorAll('[data-copy]')) {
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.parentElement.querySelector('code').textContent)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  })
}
