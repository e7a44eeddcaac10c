/** The steps of a test sign-in: done, failed, or not reached. */
import { Group, Stack, Text } from '@mantine/core'
import { Section } from '../../parts/section.tsx'
import { type Mood, StateBadge } from '../../parts/state-badge.tsx'
import { useTexts } from '../../texts/index.tsx'
import { STEPS, type Step } from './test-steps.ts'
import { providerTexts } from './texts/index.ts'

interface StepListProps {
  /** Undefined: all steps are done. */
  readonly failedAt?: Step
  readonly sentence?: string
  readonly code?: string | undefined
}

/** The list, with the reason under the step that failed. */
export function StepList({ failedAt, sentence, code }: StepListProps) {
  const { test: t } = useTexts(providerTexts)
  const failed = failedAt === undefined ? STEPS.length : STEPS.indexOf(failedAt)
  const look = (index: number): readonly [Mood, string] => {
    if (index < failed) return ['good', t.done]
    return index === failed ? ['bad', t.failed] : ['stopped', t.notReached]
  }
  return (
    <Section title={failedAt === undefined ? t.succeededTitle : t.failedTitle}>
      <Stack component="ol" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
        {STEPS.map((step, index) => {
          const [mood, label] = look(index)
          return (
            <li key={step}>
              <Group gap="sm" wrap="nowrap" align="flex-start">
                <Text size="sm" flex={1}>
                  {index + 1}. {t.steps[step]}
                </Text>
                <StateBadge mood={mood} label={label} />
              </Group>
              {index === failed && (
                <Text size="sm" c="var(--mantine-color-error)" role="alert">
                  {sentence}
                  {code && ` (${code})`}
                </Text>
              )}
            </li>
          )
        })}
      </Stack>
    </Section>
  )
}
