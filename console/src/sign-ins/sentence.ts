/** A sign-in in one sentence, such as "Ada signed in to Shop with a passkey". */
import type { SignIn } from '../../../contract/gen/signet/sign_in/v1/sign_in_pb.ts'
import { FAILURES, METHODS, type MethodName, nameIn, OUTCOMES } from './names.ts'
import type { SignInWords } from './texts/en.ts'

function userOf({ user }: SignIn): string | undefined {
  return user?.displayName || user?.preferredLoginName || user?.id || undefined
}

/** The application, and how many more there are. One without a name is one that the reader may not see. */
function applicationOf({ applications }: SignIn, words: SignInWords): string | undefined {
  const names = applications.map(({ name }) => name).filter((name) => name !== '')
  const [first, ...others] = new Set(names)
  return first === undefined || others.length === 0 ? first : words.more({ name: first, count: others.length })
}

/** What is known of a sign-in. */
interface Known {
  readonly user?: string | undefined
  readonly application?: string | undefined
  readonly method?: MethodName | undefined
  readonly reason?: string | undefined
}

/** French shortens a word before a vowel; before an h it depends on the name. */
const VOWEL = /^[aeiouàâäéèêëîïôöùûü]/i

/** The values of the sentences about sign-ins: what is known, and words for what is not. */
export function signInValues({ user = '', application = '', method, reason = '' }: Known) {
  return {
    user,
    who: user === '' ? 'nobody' : VOWEL.test(user) ? 'vowel' : 'other',
    application,
    place: application === '' ? 'none' : 'named',
    method: method ?? 'none',
    reason,
    cause: reason === '' ? 'none' : 'known',
  }
}

/** The sentence. */
export function signInSentence(signIn: SignIn, words: SignInWords): string {
  const failure = nameIn(FAILURES, signIn.failure)
  const values = signInValues({
    user: userOf(signIn),
    application: applicationOf(signIn, words),
    method: nameIn(METHODS, signIn.method),
    reason: failure && words.failures[failure],
  })
  return words[nameIn(OUTCOMES, signIn.outcome) ?? 'pending'](values)
}
