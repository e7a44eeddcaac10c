/**
 * State of the whole process that is meant, by file and name, with the reason why instances of one process may share it: nothing
 * in it says what one of them knows, and equal IDs of two of them never meet in it.
 */

const CONTRACT = 'by a type of the contract or of the code, of which there is one in the process'
const OBJECT = 'by an object that exactly one instance, connection or request has made'
const CONTENT = 'by the content itself: whoever asks has it already, and gets what follows from it'
const CODE = 'code that is loaded at its first use'
const PROCESS = 'about the process itself'
const COMMAND = 'a command of the operator, which ends with its process'
const THREAD = 'a thread that is started for one database file'
const EXPRESSION = 'where a search in a text continues; it is set before each'
const PER_APP = 'keeps what it knows in perApp itself'

export const REASONS: Readonly<Record<string, string>> = {
  'src/access/requirement.ts accessOptions': CONTRACT,
  'src/app.ts lifecycle': 'frozen: how modules react to each other, as the code says',
  'src/cli/folder-lock.ts held': PROCESS,
  'src/cli/import/keycloak/role-scopes.ts rolesOf': COMMAND,
  'src/cli/import/zitadel/event.ts asked': COMMAND,
  'src/cli/stop-signals.ts receive': PROCESS,
  'src/crypto/passwords/common-passwords.ts known': CODE,
  'src/crypto/tokens.ts drawn': 'random bytes that were not given out yet',
  'src/crypto/tokens.ts nextDrawn': 'random bytes that were not given out yet',
  'src/crypto/web-key.ts pairsAhead': 'pairs of keys that nobody has yet; each is taken once',
  'src/features/applications/agents/client-keys.ts keySets': PER_APP,
  'src/features/applications/agents/document-clients.ts documents': PER_APP,
  'src/features/assets/sanitize-svg.ts PIECE': EXPRESSION,
  'src/features/audit/subscribe.ts replies': OBJECT,
  'src/features/authorization-requests/scopes.ts remembered': CONTENT,
  'src/features/executions/destinations.ts wanted': OBJECT,
  'src/features/mail/layout.ts NOTHING': 'never changes',
  'src/features/passkeys/webauthn/verify-credential.ts loaded': CODE,
  'src/http/codec/elements.ts numbered': CONTRACT,
  'src/http/codec/held-back.ts withSecrets': CONTRACT,
  'src/http/codec/json-reader.ts compiled': CONTRACT,
  'src/http/codec/unknown-fields.ts noted': OBJECT,
  'src/http/codec/validate.ts compiled': CONTRACT,
  'src/http/exchange-streaming.ts known': OBJECT,
  'src/http/port/linger.ts lingering': OBJECT,
  'src/http/port/session-lifetime.ts handleSymbol': PROCESS,
  'src/http/port/session-lifetime.ts kept': OBJECT,
  'src/http/protocols/dispatch.ts started':
    'requests of one turn of the event loop, which continue together and tell each other nothing',
  'src/http/protocols/error-details.ts helps': CONTENT,
  'src/http/protocols/error-details.ts written': OBJECT,
  'src/http/protocols/interception.ts names': OBJECT,
  'src/http/protocols/serve-stream.ts openPublic':
    'how many streams the process holds for callers without a token, who are all strangers',
  'src/http/protocols/stream-run.ts encoded': OBJECT,
  'src/http/protocols/stream-run.ts sinks': PROCESS,
  'src/mcp/index.ts loaded': CODE,
  'src/mcp/serve.ts known': OBJECT,
  'src/mcp/tools.ts secretFields': CONTRACT,
  'src/openid/engine/context.ts requests': OBJECT,
  'src/openid/index.ts bridge': CODE,
  'src/scim/filter/parse.ts TOKEN': EXPRESSION,
  'src/scim/patch.ts keys': OBJECT,
  'src/store/computation.ts names': CONTRACT,
  'src/store/postgres/log.ts cursors': 'a number that tells the cursors of one connection apart',
  'src/store/postgres/read.ts names': CONTENT,
  'src/store/query/columns.ts knownColumns': CONTRACT,
  'src/store/query/columns.ts knownConditions': OBJECT,
  'src/store/query/schema.ts knownIndexes': OBJECT,
  'src/store/sqlite/scan-thread.ts connection': THREAD,
  'src/store/sqlite/write-thread.ts connection': THREAD,
  'src/store/sqlite/write-thread.ts options': THREAD,
  'src/store/sqlite/write.ts startedAhead': 'a thread that has no file yet; the first store takes it',
  'src/web/language.ts prepared': CONTENT,
}
