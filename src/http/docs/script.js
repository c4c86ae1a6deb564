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

// The tabs pattern of the ARIA Authoring Practices. One choice for all examples, kept for the next visit.
const groups = [...document.querySelectorAll('[data-tabs]')].map((group, index) => {
  const list = group.insertBefore(document.createElement('div'), group.firstChild)
  list.setAttribute('role', 'tablist')
  list.setAttribute('aria-label', 'Example language')
  return [...group.querySelectorAll('[data-tab]')].map((panel) => {
    const name = panel.dataset.tab
    const tab = list.appendChild(document.createElement('button'))
    Object.assign(tab, { type: 'button', className: 'b s', textContent: name, id: `tab-${index}-${name}` })
    tab.setAttribute('role', 'tab')
    panel.setAttribute('role', 'tabpanel')
    panel.setAttribute('aria-labelledby', tab.id)
    panel.id = `panel-${index}-${name}`
    tab.setAttribute('aria-controls', panel.id)
    return { name, tab, panel }
  })
})
const choose = (chosen) => {
  for (const { name, tab, panel } of groups.flat()) {
    tab.setAttribute('aria-selected', String(name === chosen))
    tab.tabIndex = name === chosen ? 0 : -1
    panel.hidden = name !== chosen
  }
}
/** The examples above change their heights too, so the page scrolls to keep the tab in its place. */
const chooseAt = (tab, chosen) => {
  const top = tab.getBoundingClientRect().top
  choose(chosen)
  scrollBy({ top: tab.getBoundingClientRect().top - top, behavior: 'instant' })
  localStorage.setItem('example', chosen)
}
for (const group of groups) {
  group.forEach(({ name, tab }, at) => {
    tab.addEventListener('click', () => chooseAt(tab, name))
    tab.addEventListener('keydown', ({ key }) => {
      if (key !== 'ArrowRight' && key !== 'ArrowLeft') return
      const next = group[(at + (key === 'ArrowRight' ? 1 : group.length - 1)) % group.length]
      next.tab.focus({ preventScroll: true })
      chooseAt(next.tab, next.name)
    })
  })
}
choose(localStorage.getItem('example') === 'TypeScript' ? 'TypeScript' : 'curl')
