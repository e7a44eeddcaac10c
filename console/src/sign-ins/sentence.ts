/** A sign-in in one sentence, such as "Ada signed in to Shop with a passkey". */
import type { SignIn } from '../../../contract/gen/signet/sign_in/v1/sign_in_pb.ts'
import { FAILURES, METHODS, nameIn, OUTCOMES } from './names.ts'
import type { SignInWords } from './texts/en.ts'

function userOf({ user }: SignIn): string | undefined {
  return user?.displayName || user?.preferredLoginName || user?.id || undefined
}

/** The application, and how many more there are. One without a name is one that the reader may not see. */
function applicationOf({ applications }: SignIn, words: SignInWords): string | undefined {
  const names = applications.map(({ name }) => name).filter((name) => name !== '')
  const [first, ...others] = new Set(names)
  return first === undefined || others.length === 0 ? first : words.more(first, others.length)
}

/** The sentence. */
export function signInSentence(signIn: SignIn, words: SignInWords): string {
  const failure = nameIn(FAILURES, signIn.failure)
  const parts = {
    user: userOf(signIn),
    application: applicationOf(signIn, words),
    method: nameIn(METHODS, signIn.method),
    reason: failure && words.failures[failure],
  }
  return words[nameIn(OUTCOMES, signIn.outcome) ?? 'pending'](parts)
}
