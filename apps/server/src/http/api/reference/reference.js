// What the reference page can do with scripts: search, tabs, copying, sending requests. Without them it is complete.

const root = document.documentElement
const $ = (selector, from = document) => from.querySelector(selector)
const $$ = (selector, from = document) => [...from.querySelectorAll(selector)]

/** An element with properties and children. */
function create(name, properties = {}, ...children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(properties)) {
    if (key in element) element[key] = value
    else element.setAttribute(key, value)
  }
  element.append(...children)
  return element
}

// The address as this browser reaches the service: a proxy or a team's own host name may be in front.
const address = location.origin + root.dataset.path
if (address !== root.dataset.address) {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode())
    texts.currentNode.data = texts.currentNode.data.replaceAll(root.dataset.address, address)
}

/* Elements that are closed are opened when something inside is linked to, and for printing. */

function reveal(element) {
  for (let at = element; at; at = at.parentElement) if (at instanceof HTMLDetailsElement) at.open = true
}

function revealTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!target) return
  const isClosed = target.closest('details:not([open])') !== null
  reveal(target)
  if (isClosed) target.scrollIntoView()
}

const expand = (isOpen) => {
  for (const details of $$('main details:not(.try)')) details.open = isOpen
}

addEventListener('hashchange', revealTarget)
addEventListener('beforeprint', () => expand(true))
$('.actions').hidden = false
for (const button of $$('[data-expand]'))
  button.addEventListener('click', () => expand(button.dataset.expand === 'true'))

const contents = $('.contents')
contents.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('a')) contents.open = false
})

/* Examples: one language is chosen for all of them. */

const LANGUAGE_KEY = 'meadow-reference-language'

function readLanguage() {
  try {
    return localStorage.getItem(LANGUAGE_KEY)
  } catch {
    return null
  }
}

function choose(language) {
  for (const tab of $$('[role=tab]')) {
    const isChosen = tab.dataset.language === language
    tab.setAttribute('aria-selected', String(isChosen))
    tab.tabIndex = isChosen ? 0 : -1
  }
  for (const sample of $$('.sample')) sample.hidden = sample.dataset.language !== language
  try {
    localStorage.setItem(LANGUAGE_KEY, language)
  } catch {
    // A browser that stores nothing: the choice holds for this page.
  }
}

for (const [group, samples] of $$('.samples').entries()) {
  const panels = $$('.sample', samples)
  const tabs = panels.map((panel) => {
    const { language, label } = panel.dataset
    const tab = create('button', { type: 'button', role: 'tab', id: `tab-${group}-${language}` }, label)
    tab.dataset.language = language
    panel.id = `panel-${group}-${language}`
    panel.setAttribute('role', 'tabpanel')
    panel.setAttribute('aria-labelledby', tab.id)
    tab.setAttribute('aria-controls', panel.id)
    $('.language', panel).hidden = true
    tab.addEventListener('click', () => chooseAt(tab, language))
    return tab
  })
  const list = create(
    'div',
    { className: 'tabs', role: 'tablist', 'aria-label': 'Language of the example' },
    ...tabs,
  )
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const at = tabs.indexOf(document.activeElement)
    const next = tabs[(at + step + tabs.length) % tabs.length]
    chooseAt(next, next.dataset.language)
    next.focus()
  })
  samples.prepend(list)
}

/** Keeps the tab where it is on the screen: the examples above it change their heights, too. */
function chooseAt(tab, language) {
  const { top } = tab.getBoundingClientRect()
  choose(language)
  scrollBy(0, tab.getBoundingClientRect().top - top)
}

const stored = readLanguage()
choose($$('.sample').some(({ dataset }) => dataset.language === stored) ? stored : 'curl')

for (const pre of $$('main pre')) {
  const button = create('button', { type: 'button', className: 'copy' }, 'Copy')
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(pre.textContent)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2000)
  })
  // Clipboards are available in secure contexts only.
  if (!navigator.clipboard) continue
  const frame = create('div', { className: 'copied' })
  pre.replaceWith(frame)
  frame.append(pre, button)
}

/* Search */

const MAX_FOUND = 40
const form = $('.find')
const field = $('#find')
const found = $('#found')
const entries = $$('[data-find]').map((element) => ({
  text: element.dataset.find,
  key: element.dataset.find.toLowerCase(),
  id:
    element.id.endsWith('-title') || element.id === ''
      ? element.closest('[id]:not([id$="-title"])').id
      : element.id,
}))

/** Entries that contain all words; those that begin with the first one come first. */
function search(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const matches = entries.filter(({ key }) => words.every((word) => key.includes(word)))
  return matches.sort((one, other) => other.key.startsWith(words[0]) - one.key.startsWith(words[0]))
}

function showFound() {
  const matches = search(field.value)
  found.replaceChildren(
    ...matches
      .slice(0, MAX_FOUND)
      .map(({ id, text }) => create('li', {}, create('a', { href: `#${id}` }, text))),
  )
  found.hidden = matches.length === 0
  $('[role=status]', form).textContent = field.value.trim() === '' ? '' : `${matches.length} found`
}

function closeFound() {
  field.value = ''
  showFound()
}

form.hidden = false
field.addEventListener('input', showFound)
form.addEventListener('submit', (event) => {
  event.preventDefault()
  $('a', found)?.click()
})
found.addEventListener('click', ({ target }) => {
  if (!target.closest('a')) return
  // After the browser has followed the link.
  setTimeout(() => {
    revealTarget()
    closeFound()
  })
})
form.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    closeFound()
    field.focus()
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const stops = [field, ...$$('a', found)]
  stops[stops.indexOf(document.activeElement) + step]?.focus()
})
addEventListener('click', ({ target }) => {
  if (!form.contains(target)) found.hidden = true
})
/** Whether shortcuts of one character act: the app, which has the same origin, remembers it in the browser (WEB-238). */
function hasSingleKeys() {
  try {
    return localStorage.getItem('meadow.single-keys') !== 'false'
  } catch {
    return true
  }
}
addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey } = event
  if (key !== '/' || ctrlKey || metaKey || altKey) return
  if (document.activeElement !== document.body || !hasSingleKeys()) return
  event.preventDefault()
  field.focus()
})

/* Requests from the page */

const SHOWN_CHARACTERS = 20_000
const SHOWN_HEADERS = ['etag', 'retry-after', 'preference-applied', 'x-request-id']

/** Path, query and headers of the fields. */
function readRequest({ dataset, elements }) {
  const query = new URLSearchParams()
  const headers = { Authorization: `Bearer ${elements.token.value.trim()}` }
  let { path } = dataset
  for (const { name, value, dataset } of elements) {
    if (dataset.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value.trim()))
    if (dataset.in === 'query' && value !== '') query.set(name, value)
    if (dataset.in === 'header' && value !== '') headers[name] = value
  }
  return { url: `${address}/api/v1${path}${query.size > 0 ? `?${query}` : ''}`, headers }
}

async function send(form) {
  const { url, headers } = readRequest(form)
  const start = performance.now()
  const response = await fetch(url, { headers, cache: 'no-store' })
  const text = await response.text()
  const ms = Math.round(performance.now() - start)
  const lines = [
    `${response.status} ${response.statusText} · ${text.length.toLocaleString('en')} characters in ${ms} ms`,
    ...SHOWN_HEADERS.flatMap((name) => {
      const value = response.headers.get(name)
      return value === null ? [] : [`${name}: ${value}`]
    }),
  ]
  const body = JSON.stringify(JSON.parse(text), null, 2)
  const rest = body.length - SHOWN_CHARACTERS
  const shown =
    rest > 0 ? `${body.slice(0, SHOWN_CHARACTERS)}\n… and ${rest.toLocaleString('en')} more` : body
  return `GET ${url}\n\n${lines.join('\n')}\n\n${shown}`
}

for (const form of $$('.try form')) {
  form.parentElement.hidden = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    for (const other of $$('input[name=token]')) other.value = form.elements.token.value
    const answer = $('.answer', form)
    const button = $('button', form)
    button.disabled = true
    const text = await send(form).catch((error) => `The request failed: ${error.message}`)
    button.disabled = false
    answer.replaceChildren(create('pre', { tabIndex: 0, 'aria-label': 'Response' }, text))
  })
}

revealTarget()
