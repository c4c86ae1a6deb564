import { FUNCTIONS, VARIABLES } from '../examples/variables.ts'
import { type Html, html, prose } from './html.ts'

/** The start of the reference: the variables of its examples, and the shell lines that set them. */
export function startSection(publicUrl: string): Html {
  const lines = [`BASE=${publicUrl}`, FUNCTIONS, ...VARIABLES.map(({ set }) => set)].join('\n')
  const rows = VARIABLES.map(
    ({ name, means }) => html`<tr><td><code>$${name}</code></td><td>${means}</td></tr>`,
  )
  return html`<h2 id="start">Begin</h2>${prose(BEGIN)}
<div class="curl"><button type="button" class="b s" data-copy>Copy</button><pre tabindex="0"><code data-variables>${lines}</code></pre></div>
<div class="scroll"><table class="fields"><thead><tr><th>Variable</th><th>What it is</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

const BEGIN = `Paste these lines into a shell (bash or zsh) once. They fetch a token, create one of each thing that the examples below use, and store its id in a variable. The examples then run as they are, in the order of this page. They use the demo account, whose names and secrets are public. For your own account, set \`BASE\`, \`TOKEN\` and the variables that you need.`
