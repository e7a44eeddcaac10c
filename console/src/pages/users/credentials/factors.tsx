/** The second factors of a person. Administrators remove them; only the person can add one. */
import { useQuery } from '@connectrpc/connect-query'
import { AuthFactorState } from '../../../../../contract/gen/signet/user/v2/authentication_pb.ts'
import type { AuthFactor } from '../../../../../contract/gen/signet/user/v2/one_time_code_pb.ts'
import { UserService } from '../../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { ItemList } from '../../../parts/item-list.tsx'
import { RemoveButton } from '../../../parts/remove-button.tsx'
import { Section } from '../../../parts/section.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { useTexts } from '../../../texts/index.tsx'
import { FactorState } from './passkeys.tsx'
import type { CredentialTexts } from './texts/en.ts'
import { credentialTexts } from './texts/index.ts'

const { listAuthenticationFactors, removeTOTP, removeOTPSMS, removeOTPEmail, removeU2F } = UserService.method

function nameOf({ type }: AuthFactor, t: CredentialTexts): string {
  if (type.case === undefined) return '–'
  if (type.case === 'u2f') return `${t.factors.types.u2f}: ${type.value.name || type.value.id}`
  return t.factors.types[type.case]
}

function keyOf({ type }: AuthFactor): string {
  return type.case === 'u2f' ? type.value.id : (type.case ?? '')
}

/** The section. */
export function FactorsSection({ userId, mayWrite }: { readonly userId: string; readonly mayWrite: boolean }) {
  const t = useTexts(credentialTexts)
  const states = [AuthFactorState.READY, AuthFactorState.NOT_READY]
  const { data, error, refetch } = useQuery(listAuthenticationFactors, { userId, states })
  return (
    <Section title={t.factors.title} description={t.factors.hint}>
      <ItemList
        label={t.factors.title}
        list={{ rows: data?.result, error, refetch }}
        keyOf={keyOf}
        textOf={(factor) => nameOf(factor, t)}
        empty={t.factors.empty}
        columns={[
          { key: 'name', header: t.name, cell: (factor) => nameOf(factor, t) },
          { key: 'state', header: t.state, cell: ({ state }) => <FactorState state={state} /> },
        ]}
        actions={mayWrite && ((factor) => <RemoveFactor userId={userId} factor={factor} />)}
      />
    </Section>
  )
}

function RemoveFactor({ userId, factor }: { readonly userId: string; readonly factor: AuthFactor }) {
  const t = useTexts(credentialTexts)
  const options = { done: t.factors.removed, changes: [listAuthenticationFactors] }
  const totp = useAction(removeTOTP, options)
  const sms = useAction(removeOTPSMS, options)
  const email = useAction(removeOTPEmail, options)
  const key = useAction(removeU2F, options)
  const remove = async () => {
    const { type } = factor
    if (type.case === 'otp') await totp.run({ userId })
    if (type.case === 'otpSms') await sms.run({ userId })
    if (type.case === 'otpEmail') await email.run({ userId })
    if (type.case === 'u2f') await key.run({ userId, u2fId: type.value.id })
  }
  return (
    <RemoveButton
      name={nameOf(factor, t)}
      consequence={t.factors.consequence}
      isRunning={[totp, sms, email, key].some(({ isRunning }) => isRunning)}
      onConfirm={remove}
    />
  )
}
