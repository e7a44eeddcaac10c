import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { client, credential, type Drafts, readRealm, user } from '../../../../test/support/foreign-exports.ts'

function flow(alias: string, executions: readonly (readonly [step: string, requirement: string, more?: object])[]) {
  return {
    alias,
    builtIn: true,
    authenticationExecutions: executions.map(([step, requirement, more], index) => ({
      ...(step.includes(' ') ? { flowAlias: step, authenticatorFlow: true } : { authenticator: step }),
      requirement,
      priority: index * 10,
      ...more,
    })),
  }
}

/** The flows that a realm of Keycloak 26 has, with a second factor as it is told. */
function flows(secondFactor = 'CONDITIONAL', ...others: readonly object[]) {
  const own = [
    flow('browser', [
      ['auth-cookie', 'ALTERNATIVE'],
      ['auth-spnego', 'DISABLED'],
      ['identity-provider-redirector', 'ALTERNATIVE'],
      ['Organization flow', 'ALTERNATIVE'],
      ['the forms', 'ALTERNATIVE'],
    ]),
    flow('Organization flow', [['Conditional Organization', 'CONDITIONAL']]),
    flow('Conditional Organization', [
      ['conditional-user-configured', 'REQUIRED'],
      ['organization', 'ALTERNATIVE'],
    ]),
    flow('the forms', [
      ['auth-username-password-form', 'REQUIRED'],
      ['Conditional 2FA', secondFactor],
    ]),
    flow('Conditional 2FA', [
      ['conditional-user-configured', 'REQUIRED'],
      ['conditional-credential', 'REQUIRED', { authenticatorConfig: 'browser-conditional-credential' }],
      ['auth-otp-form', 'ALTERNATIVE'],
      ['webauthn-authenticator', 'DISABLED'],
    ]),
    flow('reset credentials', [
      ['reset-credentials-choose-user', 'REQUIRED'],
      ['reset-credential-email', 'REQUIRED'],
      ['reset-password', 'REQUIRED'],
      ['Reset - Conditional OTP', 'CONDITIONAL'],
    ]),
    flow('Reset - Conditional OTP', [
      ['conditional-user-configured', 'REQUIRED'],
      ['reset-otp', 'REQUIRED'],
    ]),
    flow('registration', [['registration form', 'REQUIRED', { authenticator: 'registration-page-form' }]]),
    flow('registration form', [
      ['registration-user-creation', 'REQUIRED'],
      ['registration-password-action', 'REQUIRED'],
      ['registration-recaptcha-action', 'DISABLED'],
    ]),
    flow('clients', [
      ['client-secret', 'ALTERNATIVE'],
      ['client-jwt', 'DISABLED'],
    ]),
  ]
  const names = new Set(others.map((one) => (one as { alias: string }).alias))
  return [...own.filter(({ alias }) => !names.has(alias)), ...others]
}

function loginOf(drafts: Drafts) {
  const [login] = drafts.of('settings').filter(({ section }) => section === 'login')
  return login?.section === 'login' ? login.values : assert.fail('no login settings')
}

const OPEN = { resetPasswordAllowed: true, registrationAllowed: true }

suite('authentication flows', () => {
  test('that are built in have nothing to say', async () => {
    const drafts = await readRealm({ ...OPEN, authenticationFlows: flows() })
    assert.partialDeepStrictEqual(loginOf(drafts), {
      requiresSecondFactor: false,
      allowsPasswordReset: true,
      allowsRegistration: true,
    })
    assert.deepEqual(
      drafts.remarks.filter(({ kind }) => kind === 'flow'),
      [],
    )
  })

  test('KC10: a second factor that everybody needs is required here, too', async () => {
    const direct = flow('the forms', [
      ['auth-username-password-form', 'REQUIRED'],
      ['auth-otp-form', 'REQUIRED'],
    ])
    for (const authenticationFlows of [flows('REQUIRED'), flows('CONDITIONAL', direct)]) {
      const drafts = await readRealm({ authenticationFlows })
      assert.equal(loginOf(drafts).requiresSecondFactor, true)
      assert.match(drafts.reasons('browser'), /second factor/)
    }
  })

  test('KC10: of another form for signing in are named, with who gets in now', async () => {
    const roles = flow('Conditional 2FA', [
      ['conditional-user-role', 'REQUIRED'],
      ['auth-otp-form', 'REQUIRED'],
    ])
    const configured = flow('browser', [
      ['auth-cookie', 'ALTERNATIVE'],
      ['identity-provider-redirector', 'ALTERNATIVE', { authenticatorConfig: 'to corp' }],
      ['the forms', 'ALTERNATIVE'],
    ])
    const own = flow('own', [['webauthn-authenticator-passwordless', 'REQUIRED']])
    const twoForms = flow('own', [
      ['auth-username-form', 'REQUIRED'],
      ['auth-password-form', 'REQUIRED'],
      ['webauthn-authenticator', 'REQUIRED'],
    ])
    const cases = [
      [configured, undefined, 'with the second factor that they have set up', true, false],
      [roles, undefined, 'everybody needs a second factor', true, true],
      [twoForms, 'own', 'everybody needs a second factor', true, true],
      [own, 'own', 'nobody signs in with one here', false, false],
      [own, 'gone', 'nobody signs in with one here', false, false],
    ] as const
    for (const [changed, browserFlow, says, password, factor] of cases) {
      const drafts = await readRealm({ browserFlow, authenticationFlows: flows('CONDITIONAL', changed) })
      const { allowsPassword, requiresSecondFactor } = loginOf(drafts)
      assert.deepEqual([allowsPassword, requiresSecondFactor], [password, factor], says)
      assert.ok(drafts.reasons(browserFlow ?? 'browser').includes(says), says)
    }
  })

  test('KC10: of another form for registration or a new password close them', async () => {
    const captcha = flow('registration form', [
      ['registration-user-creation', 'REQUIRED'],
      ['registration-password-action', 'REQUIRED'],
      ['registration-recaptcha-action', 'REQUIRED'],
    ])
    const registration = await readRealm({ ...OPEN, authenticationFlows: flows('CONDITIONAL', captcha) })
    assert.equal(loginOf(registration).allowsRegistration, false)
    assert.equal(loginOf(registration).allowsPasswordReset, true)
    assert.match(registration.reasons('registration'), /Nobody can register/)
    const asks = flow('reset credentials', [
      ['reset-credentials-choose-user', 'REQUIRED'],
      ['reset-credential-email', 'REQUIRED'],
      ['auth-otp-form', 'REQUIRED'],
      ['reset-password', 'REQUIRED'],
    ])
    const reset = await readRealm({ ...OPEN, authenticationFlows: flows('CONDITIONAL', asks) })
    assert.deepEqual([loginOf(reset).allowsPasswordReset, loginOf(reset).allowsRegistration], [false, true])
  })

  test('KC22: of clients: a way to authenticate that is disabled gives nobody a secret', async () => {
    const disabled = flow('clients', [['client-jwt', 'ALTERNATIVE']])
    const clients = [client('app', { redirectUris: ['https://app.example/cb'] })]
    const drafts = await readRealm({ clients, authenticationFlows: flows('CONDITIONAL', disabled) })
    assert.equal(drafts.one('application', 'id-app').secret, undefined)
    const usual = await readRealm({ clients, authenticationFlows: flows() })
    assert.deepEqual(usual.one('application', 'id-app').secret, { plain: 's-app' })
  })
})

suite('a second factor that is not carried', () => {
  const password = credential(
    'password',
    { value: 'AAECAw==', salt: 'c2FsdA==' },
    { algorithm: 'pbkdf2', hashIterations: 1 },
  )
  const otp = (data: object) =>
    credential('otp', { value: 'secret' }, { subType: 'totp', digits: 6, period: 30, ...data })
  const LOST = [
    otp({ subType: 'hotp' }),
    otp({ digits: 8 }),
    otp({ algorithm: 'HmacSHA256' }),
    credential('recovery-authn-codes', { codes: [] }, {}),
    credential('sms', {}, {}),
  ]
  const read = async (credentials: readonly object[], more: object = {}) => {
    const one = user('anna', {
      email: 'anna@a.example',
      emailVerified: true,
      credentials: [password, ...credentials],
      ...more,
    })
    const drafts = await readRealm({ users: [one] })
    return { human: drafts.one('human', 'id-anna'), reasons: drafts.reasons('anna') }
  }

  test('KC11: becomes a code by mail', async () => {
    for (const lost of LOST) {
      const { human, reasons } = await read([lost])
      assert.deepEqual([human.password !== undefined, human.otpEmail], [true, true])
      assert.match(reasons, /code that is mailed/)
    }
  })

  test('KC11: takes the password with it where no mail proves who it is', async () => {
    for (const more of [{ emailVerified: false }, { email: undefined }])
      for (const lost of LOST) {
        const { human, reasons } = await read([lost], more)
        assert.deepEqual([human.password, human.otpEmail, human.state], [undefined, false, 'initial'])
        assert.match(reasons, /would be enough/)
      }
  })

  test('changes nothing beside one that is carried, or that was none', async () => {
    for (const credentials of [[LOST[0] ?? {}, otp({})], [], [credential('password-history', {}, {})]]) {
      const { human } = await read(credentials)
      assert.deepEqual([human.password !== undefined, human.otpEmail], [true, false])
    }
  })
})
