/** One sign-in with its steps, at the side of the list. */
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Drawer, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { SignInService } from '../../../../contract/gen/signet/sign_in/v1/sign_in_service_pb.ts'
import { Reading } from '../../parts/reading.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { signInSentence } from '../../sign-ins/sentence.ts'
import { SignInSteps } from '../../sign-ins/steps.tsx'
import { signInWords } from '../../sign-ins/texts/index.ts'
import { useTexts } from '../../texts/index.tsx'
import { SignInFacts } from './sign-in-facts.tsx'
import { auditTexts } from './texts/index.ts'
import { WhatNext } from './what-next.tsx'

interface SignInDrawerProps {
  readonly signInId: string | undefined
  onClose(): void
}

/** The drawer; closed without a sign-in. */
export function SignInDrawer({ signInId, onClose }: SignInDrawerProps) {
  const t = useTexts(auditTexts)
  const { close } = useTexts(partsTexts)
  const words = useTexts(signInWords)
  const query = useQuery(
    SignInService.method.explainSignIn,
    { signInId: signInId ?? '' },
    { enabled: signInId !== undefined },
  )
  const signIn = query.data?.signIn
  return (
    <Drawer
      opened={signInId !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={signIn ? signInSentence(signIn, words) : t.signIn}
      styles={{
        header: { backgroundColor: 'var(--signet-surface)' },
        content: { backgroundColor: 'var(--signet-surface)' },
        title: { fontWeight: 600, overflowWrap: 'anywhere' },
      }}
      closeButtonProps={{ 'aria-label': close }}
    >
      {signInId !== undefined && (
        <Reading query={query}>
          {(explanation) => (
            <Stack>
              {explanation.signIn && <SignInFacts signIn={explanation.signIn} />}
              {explanation.signIn && <WhatNext signIn={explanation.signIn} />}
              <SignInSteps explanation={explanation} />
              <Anchor component={Link} to="/audit/sign-ins/$signInId" params={{ signInId } as never} size="sm">
                {t.openSignIn}
              </Anchor>
            </Stack>
          )}
        </Reading>
      )}
    </Drawer>
  )
}
