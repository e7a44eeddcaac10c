/** How many wrong attempts lock a user. */
import { NumberInput } from '@mantine/core'
import type { LockoutPolicy } from '../../../../contract/gen/signet/policy/v1/policy_pb.ts'
import { usePolicy } from '../../parts/policy/use-policy.ts'
import { Reading } from '../../parts/reading.tsx'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { LOCKOUT_POLICY } from './policies.ts'
import { ownerKey, PolicyForm } from './policy-form.tsx'
import { signInTexts } from './texts/index.ts'

/** The card. */
export function LockoutSection() {
  const policy = usePolicy(LOCKOUT_POLICY)
  return <Reading query={policy.query}>{(found) => <LockoutForm key={ownerKey(policy)} policy={found} />}</Reading>
}

function LockoutForm({ policy: found }: { readonly policy: LockoutPolicy }) {
  const t = useTexts(signInTexts)
  const server = useServerForm({
    initialValues: {
      maxPasswordAttempts: Number(found.maxPasswordAttempts),
      maxOtpAttempts: Number(found.maxOtpAttempts),
    },
    paths: { maxPasswordAttempts: 'maxPasswordAttempts', maxOtpAttempts: 'maxOtpAttempts' },
  })
  const policy = usePolicy(LOCKOUT_POLICY, { onError: server.showError })
  return (
    <PolicyForm
      anchor="lockout"
      title={t.passwords.lockout}
      description={t.passwords.lockoutHint}
      policy={policy}
      server={server}
    >
      <NumberInput
        label={t.passwords.passwordAttempts}
        description={t.passwords.zeroHundred}
        min={0}
        allowDecimal={false}
        {...server.form.getInputProps('maxPasswordAttempts')}
      />
      <NumberInput
        label={t.passwords.codeAttempts}
        description={t.passwords.zeroHundred}
        min={0}
        allowDecimal={false}
        {...server.form.getInputProps('maxOtpAttempts')}
      />
    </PolicyForm>
  )
}
