/**
 * Members of events that say nothing an import needs, each with the reason. All others are asked for, or the report names them
 * with the type of their events.
 */

type Named = readonly (readonly [types: RegExp, members: RegExp])[]

const IGNORED: Readonly<Record<string, Named>> = {
  'codes last a short time': [
    [/^user\..*\.code\.added$/, /^(code|expiry|codeReturned|applicationName|urlTemplate|authRequestID)$/],
    [/^org\.domain\.verification\.added$/, /^validation(Code|Type)$/],
    [/^user\.human\.(mfa\.u2f|passwordless)\.token\.added$/, /^challenge$/],
  ],
  'where it was asked for, or who asked': [
    [/^user\./, /^(triggerOrigin|urlTemplate|userAgentID|userAgentId)$/],
    [/^user\./, /^verifyingUserAgentID$/],
  ],
  'who made a key was asked when it was new': [
    [/^user\.human\.(mfa\.u2f|passwordless)\.token\.verified$/, /^attestationType$/],
  ],
  'counters are read from the events of sessions': [[/\.signcount\.changed$/, /^(signCount|webAuthNTokenId)$/]],
  'the key says it': [
    [/^web_key\.added$/, /^(config|configType|publicKey)$/],
    [/\.key\.added$/, /^(type|fingerprint|clientId)$/],
  ],
  'the ID of the aggregate, or of what it belongs to': [
    [/^group\.removed$/, /^id$/],
    [/^user\.grant\.(cascade\.)?removed$/, /^(projectId|userId|grantId)$/],
    [/hosted_login_translation\.set$/, /^level$/],
    [/^instance\.domain\.added$/, /^generated$/],
    [/\.idpprovider\.added$/, /^idpProviderType$/],
  ],
  'the metadata say it': [[/^project\.application\.config\.saml\./, /^entityId$/]],
  'in the report as a whole': [
    [/^instance\.secret\.generator\./, /^/],
    [/^(instance|org)\.mail\.template\./, /^template$/],
    [/^instance\.(sms\.configtwilio|smtp\.config\.http)\./, /^/],
  ],
}

const ALL = Object.values(IGNORED).flat()

export function isIgnored(type: string, member: string): boolean {
  return ALL.some(([types, members]) => types.test(type) && members.test(member))
}
