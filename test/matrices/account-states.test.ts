/** What becomes of an account counts on every node at once, whatever its owner proves who they are with. */
import { after, before, suite, test } from 'node:test'
import { assertCells, assertNone } from '../support/cells.ts'
import { engines } from '../support/engines.ts'
import { credentials } from './accounts.ts'
import { exclusionOf, KEPT, proofs } from './proofs.ts'
import { openScene, outcomeOf, type Scene } from './scene.ts'
import { addOrganization, bringAbout, STATES } from './states.ts'

/** Why a proof of one's own account is left out. */
const OWN = 'it needs a token of the user, who must be able to sign in for that'

/** Proofs that are no credential of an account, by way or by field, and why. */
const NO_CREDENTIALS: Readonly<Record<string, string>> = {
  'signet.session.v2.GetSessionRequest.session_token': 'it signs nobody in here; as a bearer it is in the matrix',
  'signet.session.v2.SetSessionRequest.session_token': 'it signs nobody in here; as a bearer it is in the matrix',
  'signet.session.v2.DeleteSessionRequest.session_token': 'it signs nobody in here; as a bearer it is in the matrix',
  'signet.user.v2.SetPasswordRequest.current_password': 'only bearers of the person, and those who may set it, show it',
  'signet.user.v2.SetPassword.current_password': 'only bearers of the person, and those who may set it, show it',
  'signet.user.v2.VerifyTOTPRegistrationRequest.code': 'only bearers of the person, and those who may, finish it',
  'signet.user.v2.VerifyU2FRegistrationRequest.public_key_credential':
    'only bearers of the person, and those who may, finish it',
  'signet.oidc.v2.GetDeviceAuthorizationRequestRequest.user_code': 'it names a device, not an account',
  'signet.saml.v2.Session.session_token': 'it names a session that was signed in before; approving it reads its user',
  'signet.oidc.v2.Session.session_token': 'it names a session that was signed in before; approving it reads its user',
  'signet.auth.v1.UpdateMyPasswordRequest.old_password': OWN,
  'signet.auth.v1.VerifyMyEmailRequest.code': OWN,
  'signet.auth.v1.VerifyMyPhoneRequest.code': OWN,
  'signet.auth.v1.VerifyMyAuthFactorOTPRequest.code': OWN,
  'signet.user.v1.WebAuthNVerification.public_key_credential': OWN,
  'signet.user.v2.LDAPCredentials.password': 'the directory checks it; the intent that follows is in the matrix',
  'signet.user.v2.RetrieveIdentityProviderIntentRequest.idp_intent_token': 'it tells who it was and signs nobody in',
}

test('every proof of the contract is a credential of the matrix, or is left out for a reason', () => {
  const fields = new Set(credentials.flatMap((credential) => credential.fields))
  const unassigned = proofs.filter(
    (proof) => !fields.has(proof.field) && exclusionOf(proof) !== KEPT && !NO_CREDENTIALS[proof.field],
  )
  assertNone(unassigned.map(({ way, field }) => `${way} (${field}) is in neither`))
  const known = new Set(proofs.map(({ field }) => field))
  const stale = [...fields, ...Object.keys(NO_CREDENTIALS)].filter((field) => !known.has(field))
  assertNone(stale.map((field) => `the contract knows nothing of ${field}`))
})

for (const engine of engines) {
  suite(`accounts on ${engine.name}: ${STATES.length * credentials.length} cells`, () => {
    let scene: Scene
    before(async () => {
      scene = await openScene(engine)
    })
    after(() => scene.dispose())

    for (const { name, expected, hold } of credentials) {
      test(`${name}: what passes in each state`, async () => {
        const found: Record<string, string> = {}
        for (const state of STATES) {
          const organizationId = await addOrganization(scene, `${name}, ${state}`)
          const { userId, use } = await hold(scene, organizationId)
          await bringAbout(scene, state, { userId, organizationId })
          found[state] = await outcomeOf(use(scene.there))
        }
        assertCells(found, expected)
      })
    }
  })
}
