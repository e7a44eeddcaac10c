/** The drawings of the hosted pages. They are 24 units wide and have the color of the text beside them. */
import { html } from 'htm/preact'
import type { VNode } from 'preact'

/** Lines on nothing, unless a path says that it is filled. */
function drawn(name: string, content: unknown): VNode {
  return html`<svg class=${`icon ${name}`} viewBox="0 0 24 24" aria-hidden="true">${content}</svg>` as VNode
}

export const seal = html`
  <svg class="seal" viewBox="0 0 32 32" aria-hidden="true">
    <circle cx="16" cy="16" r="14" />
    <path d="M21 11.5c-1-1.6-2.8-2.5-5-2.5-2.9 0-5 1.4-5 3.6 0 4.8 10 2.2 10 7 0 2.1-2.1 3.4-5 3.4-2.4 0-4.3-.9-5.4-2.7" />
  </svg>
` as VNode

/** A person with a key. */
export const passkeyIcon = drawn(
  'passkey',
  html`
    <circle cx="9.5" cy="7" r="4" />
    <path d="M13 14.2c-1-.5-2.2-.7-3.5-.7-4 0-7 2.6-7 7H14" />
    <circle cx="18.5" cy="13" r="2.9" />
    <path d="M18.5 15.9v5.6M18.5 18.6h2" />
  `,
)

export const eyeIcon = drawn(
  'eye',
  html`
    <path d="M2 12s3.6-6.5 10-6.5S22 12 22 12s-3.6 6.5-10 6.5S2 12 2 12z" />
    <circle cx="12" cy="12" r="3" />
    <path class="stroke-out" d="M4 20 20 4" />
  `,
)

export const globeIcon = drawn(
  'globe',
  html`
    <circle cx="12" cy="12" r="9.2" />
    <path d="M2.8 12h18.4M12 2.8c2.6 2.6 3.8 5.7 3.8 9.2s-1.2 6.6-3.8 9.2c-2.6-2.6-3.8-5.7-3.8-9.2s1.2-6.6 3.8-9.2z" />
  `,
)

export const alertIcon = drawn('alert', html`<circle cx="12" cy="12" r="9.2" /><path d="M12 7.2v5.8M12 16.4v.4" />`)
