import { EXAMPLE_LANGUAGES, type ExampleCall, writeExample } from '@meadow/contract/examples'
import { type Html, html } from './html.ts'

/** Stands for the address of the service until the page is sent. It has no letters that HTML escapes. */
export const ADDRESS_PLACEHOLDER = 'http://address.of.the.service.invalid'

/** Makes the examples of a call, one for each language, which the page's script turns into tabs. */
export const samplesOf = (call: ExampleCall): Html =>
  html`<div class="samples">${EXAMPLE_LANGUAGES.map(({ id, label }) => {
    const code = writeExample(id, { address: ADDRESS_PLACEHOLDER, calls: [call] })
    return html`<div class="sample" data-language="${id}" data-label="${label}"><p class="language">${label}</p>
<pre tabindex="0" aria-label="Example in ${label}"><code>${code}</code></pre></div>`
  })}</div>`
