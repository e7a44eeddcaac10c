/** Names and times of SAML 2.0. Pure. */

export const SAML = 'urn:oasis:names:tc:SAML:2.0'
export const ASSERTION = `${SAML}:assertion`
export const PROTOCOL = `${SAML}:protocol`
export const METADATA = `${SAML}:metadata`
export const BINDING = { post: `${SAML}:bindings:HTTP-POST`, redirect: `${SAML}:bindings:HTTP-Redirect` } as const

/** How a message goes through a browser. */
export type SamlBinding = keyof typeof BINDING

/** The binding of a name; undefined for those that are not supported. */
export function bindingNamed(name: string): SamlBinding | undefined {
  return (Object.keys(BINDING) as readonly SamlBinding[]).find((binding) => BINDING[binding] === name)
}

export const FORMAT = {
  email: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  unspecified: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
  persistent: `${SAML}:nameid-format:persistent`,
  transient: `${SAML}:nameid-format:transient`,
} as const

export function samlTime(at: number): string {
  return new Date(at).toISOString()
}

/** An instant of XML Schema, in milliseconds; undefined when it is none. */
export function instantOfSaml(text: string): number | undefined {
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(text)
  const at = isTime ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}
