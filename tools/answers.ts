/**
 * The questions that have one answer in the code. What an answer is made of stays where it is made: the `index.ts` of its
 * module does not export the parts, and nobody else writes down what they amount to.
 */

/** One question, and where it is answered. */
interface Question {
  readonly question: string
  /** What others call instead. */
  readonly ask: string
  /** The file or folder that answers. */
  readonly home: string
  /** The names that its `index.ts` must not export. */
  readonly parts?: readonly string[]
  /** How code looks that answers by itself. */
  readonly composed?: RegExp
  /** Files that mean something else by such code. */
  readonly except?: readonly string[]
}

const questions: readonly Question[] = [
  {
    question: 'whether a user may act now',
    ask: 'activePerson of users',
    home: 'src/features/users/',
    parts: ['mayAct', 'requireMayAct', 'requireActive'],
    composed: /\b(?:user|person|human|machine)\??\.(?:state\.)?status\s*[!=]==\s*'(?:active|initial|inactive|locked)'/,
    // Accounts are linked by themselves only to users who have finished their set-up.
    except: ['src/features/sign-in-intents/proposed-users.ts'],
  },
  {
    question: 'whether an organization is active',
    ask: 'activeOrganization of organizations',
    home: 'src/features/organizations/',
    composed: /get\(organizations,[^;]*\.status\s*[!=]==|\borganization\??\.(?:state\.)?status\s*[!=]==/,
  },
  {
    question: 'whether a session is open, and of whom',
    ask: 'findOpenSession of sessions',
    home: 'src/features/sessions/',
    parts: ['sessions', 'hasExpired', 'isTokenOf', 'livingAt', 'findSessions'],
    composed: /\bsession\??\.(?:state\.)?(?:status\s*[!=]==|endsAt\s*[<>])/,
  },
  {
    question: 'how strong a sign-in is',
    ask: 'proofsOf and strengthOf of sessions, or strengthOfSession of sign-in',
    home: 'src/features/sessions/',
    composed: /\.userVerified\b|\buserVerified\s*[!=]==|\bNumber\((?:password|intent|webAuthN)\b/,
    // What a key says, before it is a check.
    except: ['src/features/passkeys/handlers/verify-assertion.ts'],
  },
  {
    question: 'whether a forced sign-in is fresh',
    ask: 'isFreshEnough and isForThisRequest of authorization-requests',
    home: 'src/features/authorization-requests/',
    composed: /\b(?:authenticatedAt|signedInAt)\)?\s*[<>]|[<>]=?\s*(?:\w+\.)*flowStartedAt\b/,
  },
  {
    question: 'whether an application can be used now',
    ask: 'activeApplication of applications',
    home: 'src/features/applications/',
    composed: /\bapplication\??\.(?:state\.)?status\s*[!=]==\s*'active'/,
  },
  {
    question: 'whether an answer may be sent to an address',
    ask: 'isRedirectAllowed of applications',
    home: 'src/features/applications/',
    parts: ['redirectUriProblem', 'unusedBecause', 'redirectNotes', 'allowedOriginsOf', 'parseAddress', 'isWeb'],
    composed: /\b(?:redirectUris|postLogoutRedirectUris)\s*\.(?:includes|some|find|indexOf)\(/,
    // Which URIs of the console are missing, after the address of the server changed.
    except: ['src/features/onboarding/handlers/add-api-project.ts'],
  },
  {
    question: 'whether the owner of an account at a provider has signed in',
    ask: 'completedSignIn of sign-in-intents',
    home: 'src/features/sign-in-intents/',
    composed: /\bas (?:unknown as )?CompletedSignIn\b/,
  },
  {
    question: 'what a listener is told about a user',
    ask: 'toldTo of statements',
    home: 'src/features/statements/',
    composed: /\b(?:email_verified|phone_number_verified)\b[^\n]*\.isVerified\b/,
  },
  {
    question: 'how much of what all use together somebody uses',
    ask: 'Places, openThrottle, openAttempts or openPace of kernel/share.ts, with the owners',
    home: 'src/kernel/share.ts',
    composed:
      /#\w+ = new Map<string, (?:number|\{[^}]*\bcount\b)|perApp\([^\n]*new Map<string, number>|(?:#(?:running|open|taken|underway)|\brunning)(?:\+\+| \+= 1)|\.size >= (?:MOST_|MAX_)?AT_ONCE\b/,
    except: [
      // Figures, which limit nobody.
      'src/kernel/metrics.ts',
      // Connections of an address, before anybody is known: the operator sets how many.
      'src/http/port/listener.ts',
      // Connections to the database, which belong to nobody.
      'src/store/postgres/pool.ts',
      // The work of one import, one move and one write.
      'src/cli/import/keycloak/projects.ts',
      'src/cli/import/runners.ts',
      'src/features/imports/import-lanes.ts',
      'src/store/write/document-turns.ts',
      // Uses of sessions that are noted together; those that are not are noted at the next use.
      'src/features/sessions/handlers/note-use.ts',
    ],
  },
  {
    question: 'what cookies a request has',
    ask: 'cookiesOf of http/cookies.ts',
    home: 'src/http/cookies.ts',
    composed: /\bheader\('cookie'\)|\bheaders\.cookie\b/,
  },
  {
    question: 'who caused an event',
    ask: 'actingUser or actorType of kernel/actor.ts',
    home: 'src/kernel/actor.ts',
    composed: /\bactor\s*[!=]==\s*'system'|'(?:user|transmitter)' in [\w.]*[aA]ctor\b|\borigin\.actor\.user\b/,
  },
  {
    question: 'which IDs can be chosen',
    ask: 'chosenIdProblem of organizations',
    home: 'src/features/organizations/',
    composed: /\bidProblem\(/,
    // The form of an ID, before its organization is read; `requireChosenId` follows in the write.
    except: [
      'src/kernel/chosen-id.ts',
      'src/features/users/field-problems.ts',
      'src/features/humans/handlers/add-human.ts',
    ],
  },
  {
    question: 'which party a text names in tokens',
    ask: 'partyNamed of module/token-party.ts',
    home: 'src/module/token-party.ts',
    composed: /\bfindClaimHolder\(\s*(?:CLIENT_ID_CLAIM|RESOURCE_CLAIM)\b/,
    // Whose application or resource it is.
    except: [
      'src/features/applications/find-application.ts',
      'src/features/resources/find-resource.ts',
      'src/features/resources/own-uris.ts',
    ],
  },
  {
    question: 'who a token is for',
    ask: 'isTokenFor or audienceNow of authorization-requests',
    home: 'src/features/authorization-requests/',
    composed: /\baudience\.includes\(/,
    // Our own API, what a token is derived from, and who may show an ID token or exchange a token.
    except: [
      'src/features/grants/handlers/identify-bearer.ts',
      'src/features/grants/handlers/derive-token.ts',
      'src/openid/claims.ts',
      'src/openid/engine/exchange-token.ts',
      'src/openid/engine/issue-assertion.ts',
      'src/openid/engine/library/models.ts',
    ],
  },
  {
    question: 'whether somebody uses a path',
    ask: 'mayUsePath of memberships',
    home: 'src/features/memberships/',
    composed: /\bimport \{[^}]*\breaches\b[^}]*\} from '[^']*access\/paths\.ts'/,
  },
  {
    question: 'whether a role is one on the instance',
    ask: 'holdsOnInstance or holdsEverywhere of access/roles.ts',
    home: 'src/access/',
    composed: /\bscope\)?\s*[!=]==\s*'instance'/,
    // Of which organization a role is.
    except: ['src/features/authorizations/rpc-v1-own.ts'],
  },
  {
    question: 'what a method demands for the user that it is about',
    ask: 'the requirement of access/requirement.ts',
    home: 'src/access/',
    composed: /\bAccess_Oneself\b/,
  },
  {
    question: 'whether what was opened still counts',
    ask: 'isCurrent of kernel/generations.ts',
    home: 'src/kernel/generations.ts',
    composed: /\bgenerations\??\.(?:user|organization|password|project)\b\s*(?:[!=]==|<|>)/,
  },
  {
    question: 'whether a consent is to what was shown',
    ask: 'the consent of grants',
    home: 'src/features/grants/',
    parts: ['isWithin'],
    composed: /\bpicture\.(?:client|name|host|redirectUri|resource|scopes)\s*[!=]==/,
  },
  {
    question: 'what this machine is',
    ask: 'kernel/loopback.ts',
    home: 'src/kernel/loopback.ts',
    composed: /[!=]==\s*'(?:localhost|127\.0\.0\.1|::1|\[::1\])'/,
  },
  {
    question: 'where a page is',
    ask: 'PATHS of kernel/page-paths.ts',
    home: 'src/kernel/page-paths.ts',
    composed:
      /['"`]\/(?:ui\/(?:login|logout|register|consent|account|console|v2|api)|setup|inbox|verify-email|set-password)\b/,
  },
]

/** The names that a file exports in lists, without the words around them. */
function exportedNames(text: string): ReadonlySet<string> {
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) => list.split(','))
  return new Set(
    lists.map((one) =>
      one
        .trim()
        .replace(/^type /, '')
        .replace(/ as .*$/s, ''),
    ),
  )
}

/** Code without comments, which may say what code must not. */
function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
}

/** What a file does that only the home of a question should. */
export function answerProblems(file: string, text: string): readonly string[] {
  return questions.flatMap(({ question, ask, home, parts = [], composed, except = [] }) => {
    if (file === `${home}index.ts`) {
      const exported = exportedNames(text)
      return parts
        .filter((part) => exported.has(part))
        .map((part) => `${file} exports ${part}, a part of the answer to "${question}": others call ${ask}`)
    }
    if (file.startsWith(home) || except.includes(file) || composed === undefined) return []
    const found = composed.exec(withoutComments(text))?.[0]
    return found === undefined ? [] : [`${file} answers by itself ${question} (${found}): call ${ask}`]
  })
}
