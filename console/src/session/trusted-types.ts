/**
 * The only Trusted Types policy of the page. The components write styles as text into style elements, which browsers
 * treat like markup: text that cannot contain a tag passes, everything else is refused.
 */

interface PolicyFactory {
  createPolicy(name: string, rules: { createHTML(text: string): string | null }): unknown
}

/** Installs the policy where browsers have Trusted Types. Called before anything is rendered. */
export function installTrustedTypes(): void {
  const { trustedTypes } = window as { trustedTypes?: PolicyFactory }
  trustedTypes?.createPolicy('default', { createHTML: (text) => (text.includes('<') ? null : text) })
  // Where the part that stops the page behind a dialog from scrolling looks for the nonce of its style element.
  Object.assign(window, { __webpack_nonce__: styleNonce() })
}

/** The nonce of this document, for style elements. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
}
