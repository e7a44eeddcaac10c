/** The email address and phone number of a person, and whether they are verified. */
import { Button, Stack } from '@mantine/core'
import type { HumanUser } from '../../../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { useMe } from '../../access/me.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useTexts } from '../../texts/index.tsx'
import { USER_READS } from './changed-methods.ts'
import { ContactCard } from './contact-card.tsx'
import { userTexts } from './texts/index.ts'

interface ContactTabProps {
  readonly userId: string
  readonly human: HumanUser
  readonly mayWrite: boolean
}

function verificationOf(isVerified: boolean) {
  return isVerified ? ({ case: 'isVerified', value: true } as const) : ({ case: undefined } as const)
}

/** The tab. */
export function ContactTab(props: ContactTabProps) {
  return (
    <Stack>
      <EmailCard {...props} />
      <PhoneCard {...props} />
    </Stack>
  )
}

function EmailCard({ userId, human: { email }, mayWrite }: ContactTabProps) {
  const t = useTexts(userTexts)
  const { userId: ownId } = useMe()
  const { setEmail, sendEmailCode, verifyEmail } = UserService.method
  return (
    <ContactCard
      title={t.contact.email}
      type="email"
      value={email?.email ?? ''}
      isVerified={email?.isVerified ?? false}
      mayWrite={mayWrite}
      // Users cannot declare their own address verified.
      mayDeclareVerified={userId !== ownId}
      path="email"
      set={setEmail}
      toSet={(value, isVerified) => ({ userId, email: value, verification: verificationOf(isVerified) })}
      resend={sendEmailCode}
      toResend={() => ({ userId })}
      verify={verifyEmail}
      toVerify={(verificationCode) => ({ userId, verificationCode })}
    />
  )
}

function PhoneCard({ userId, human: { phone }, mayWrite }: ContactTabProps) {
  const t = useTexts(userTexts)
  const { userId: ownId } = useMe()
  const { setPhone, resendPhoneCode, verifyPhone, removePhone } = UserService.method
  const remove = useAction(removePhone, { done: t.contact.removedPhone, changes: USER_READS })
  return (
    <ContactCard
      title={t.contact.phone}
      hint={t.contact.phoneHint}
      type="tel"
      value={phone?.phone ?? ''}
      isVerified={phone?.isVerified ?? false}
      mayWrite={mayWrite}
      mayDeclareVerified={userId !== ownId}
      path="phone"
      set={setPhone}
      toSet={(value, isVerified) => ({ userId, phone: value, verification: verificationOf(isVerified) })}
      resend={resendPhoneCode}
      toResend={() => ({ userId })}
      verify={verifyPhone}
      toVerify={(verificationCode) => ({ userId, verificationCode })}
      more={
        phone && (
          <Button variant="default" loading={remove.isRunning} onClick={() => remove.run({ userId })}>
            {t.contact.removePhone}
          </Button>
        )
      }
    />
  )
}
