/** The button that tries a sign-in, and what the application would learn from it. */
import { useMutation } from '@connectrpc/connect-query'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { ApplicationService } from '../../../../../contract/gen/signet/application/v2/application_service_pb.ts'
import { CodeBlock } from '../../../parts/code-block.tsx'
import { useFailureSentence } from '../../../parts/failure-notice.tsx'
import { Icon } from '../../../parts/icons.tsx'
import { useTexts } from '../../../texts/index.tsx'
import { addressOf, newAttempt, type Outcome, outcomeOf } from './sign-in-trial.ts'
import { startTexts } from './texts/index.ts'

interface TrySignInProps {
  readonly applicationId: string
  readonly projectId: string
}

/** The button. A second try takes the place of the first one. */
export function TrySignIn({ applicationId, projectId }: TrySignInProps) {
  const { trial: t } = useTexts(startTexts)
  const sentence = useFailureSentence()
  const start = useMutation(ApplicationService.method.startSignInTrial)
  const [outcome, setOutcome] = useState<Outcome | 'waiting'>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const run = async () => {
    // Before anything is awaited: browsers open a window only right after a click.
    const window = globalThis.open('about:blank', '_blank', 'popup,width=520,height=760')
    running.current?.abort()
    const ending = new AbortController()
    running.current = ending
    const { signal } = ending
    signal.addEventListener('abort', () => window?.close())
    if (window === null) return setOutcome({ type: 'refused', reason: t.blocked })
    setOutcome('waiting')
    try {
      const attempt = await newAttempt()
      const ticket = await start.mutateAsync({ applicationId, projectId, codeChallenge: attempt.challenge })
      const coming = outcomeOf(attempt, signal)
      window.location.href = addressOf(attempt, ticket)
      setOutcome(await coming)
    } catch (error) {
      if (signal.aborted) return
      ending.abort()
      setOutcome({ type: 'refused', reason: sentence(error) })
    }
  }
  return (
    <Stack>
      <Text size="sm">{t.hint}</Text>
      <Group>
        <Button onClick={run} leftSection={<Icon name="signIn" size={16} />}>
          {t.button}
        </Button>
        {outcome === 'waiting' && (
          <Text size="sm" role="status">
            {t.waiting}
          </Text>
        )}
      </Group>
      {outcome !== undefined && outcome !== 'waiting' && <Shown outcome={outcome} />}
    </Stack>
  )
}

/** The green of the title is too pale for small text. */
const READABLE = { title: { color: 'var(--mantine-color-text)' } } as const

function Shown({ outcome }: { readonly outcome: Outcome }) {
  const { trial: t } = useTexts(startTexts)
  if (outcome.type === 'refused') {
    return (
      <Alert color="red" title={t.failed} icon={<Icon name="warning" />} styles={READABLE}>
        {outcome.reason}
      </Alert>
    )
  }
  const { id_token: idToken, userinfo } = outcome.claims
  const name = String(userinfo.name ?? userinfo.preferred_username ?? userinfo.sub)
  return (
    <Stack gap="sm">
      <Alert color="green" title={t.works} icon={<Icon name="check" />} role="status" styles={READABLE}>
        {t.worksText({ name })}
      </Alert>
      <CodeBlock label={t.userinfo} code={JSON.stringify(userinfo, null, 2)} />
      <CodeBlock label={t.idToken} code={JSON.stringify(idToken, null, 2)} />
    </Stack>
  )
}
