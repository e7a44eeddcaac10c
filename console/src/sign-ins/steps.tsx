/** The steps of a sign-in: what was checked, with what result, and which setting decided it. */
import { Anchor, Group, Stack, Text, Timeline } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import {
  type SignIn,
  type SignInSetting,
  SignInSettingLevel,
  type SignInStep,
  SignInStepResult,
} from '../../../contract/gen/signet/sign_in/v1/sign_in_pb.ts'
import type { ExplainSignInResponse } from '../../../contract/gen/signet/sign_in/v1/sign_in_service_pb.ts'
import { useOrganization } from '../access/organization.tsx'
import { Icon } from '../parts/icons.tsx'
import { StateBadge } from '../parts/state-badge.tsx'
import { When } from '../parts/when.tsx'
import { useLanguage, useTexts } from '../texts/index.tsx'
import { FAILURES, nameIn, STEPS } from './names.ts'
import { nameOfSetting, placeOfSetting } from './setting-places.ts'
import { signInWords } from './texts/index.ts'

const RESULTS = {
  passed: SignInStepResult.PASSED,
  failed: SignInStepResult.FAILED,
  required: SignInStepResult.REQUIRED,
} as const

const MOODS = { passed: 'good', failed: 'bad', required: 'waiting' } as const
const COLORS = { passed: 'signet', failed: 'red', required: 'gray' } as const
const ICONS = { passed: 'check', failed: 'warning', required: 'lock' } as const

const LEVELS = {
  instance: SignInSettingLevel.INSTANCE,
  organization: SignInSettingLevel.ORGANIZATION,
  application: SignInSettingLevel.APPLICATION,
  user: SignInSettingLevel.USER,
} as const

/** The steps in their order. */
export function SignInSteps({ explanation }: { readonly explanation: ExplainSignInResponse }) {
  const words = useTexts(signInWords)
  const { steps, moreSteps, signIn } = explanation
  if (steps.length === 0) return <Text c="dimmed">{words.noSteps}</Text>
  return (
    <Stack gap="sm">
      <Timeline bulletSize={26} lineWidth={2} active={steps.length} aria-label={words.stepsTitle}>
        {steps.map((step, at) => {
          const result = nameIn(RESULTS, step.result) ?? 'passed'
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps have no identity but their place, and do not change
            <Timeline.Item key={at} color={COLORS[result]} bullet={<Icon name={ICONS[result]} size={14} />}>
              <Step step={step} signIn={signIn} />
            </Timeline.Item>
          )
        })}
      </Timeline>
      {moreSteps > 0 && (
        <Text size="sm" c="dimmed">
          {words.moreSteps({ count: moreSteps })}
        </Text>
      )}
    </Stack>
  )
}

interface StepProps {
  readonly step: SignInStep
  readonly signIn: SignIn | undefined
}

function Step({ step, signIn }: StepProps) {
  const words = useTexts(signInWords)
  const kind = nameIn(STEPS, step.kind)
  const result = nameIn(RESULTS, step.result)
  const failure = nameIn(FAILURES, step.failure)
  const application = step.application?.name
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Text size="sm" fw={600}>
          {kind ? words.steps[kind] : step.description}
          {application ? `: ${application}` : ''}
        </Text>
        {result && <StateBadge mood={MOODS[result]} label={words.results[result]} />}
        <When time={step.date} />
      </Group>
      {failure && <Text size="sm">{sentenceCase(words.failures[failure])}</Text>}
      {step.setting && <DecidedBy setting={step.setting} signIn={signIn} application={step.application} />}
    </Stack>
  )
}

function sentenceCase(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

interface DecidedByProps {
  readonly setting: SignInSetting
  readonly signIn: SignIn | undefined
  readonly application: SignInStep['application']
}

/** The setting with its value, and the way to it. */
function DecidedBy({ setting, signIn, application }: DecidedByProps) {
  const words = useTexts(signInWords)
  const { language } = useLanguage()
  const level = nameIn(LEVELS, setting.level)
  const place = placeOfSetting(setting.name)
  const values: Readonly<Record<string, string>> = words.values
  const asked = application ?? signIn?.applications.at(-1)
  const name = nameOfSetting(setting.name, language)
  const links: Readonly<Record<keyof typeof LEVELS, () => ReactNode>> = {
    instance: () => <SettingLink place={place} name={name} organizationId={undefined} />,
    organization: () => <SettingLink place={place} name={name} organizationId={signIn?.organizationId} />,
    application: () => (asked ? <PageLink to={`/projects/${asked.projectId}`} tab="settings" name={name} /> : name),
    user: () => (signIn?.user ? <PageLink to={`/users/${signIn.user.id}`} tab="methods" name={name} /> : name),
  }
  return (
    <Text size="sm">
      {words.decidedBy} {level ? links[level]() : name}
      {setting.value === '' ? '' : `: ${values[setting.value] ?? setting.value}`}
      {level && (
        <Text span c="dimmed">
          {' '}
          ({words.levels[level]})
        </Text>
      )}
    </Text>
  )
}

interface SettingLinkProps {
  readonly place: ReturnType<typeof placeOfSetting>
  readonly name: string
  /** Whose setting it is; undefined: the instance's. */
  readonly organizationId: string | undefined
}

/** Leads to the setting of its owner: the page shows those of the organization that is chosen in the header. */
function SettingLink({ place, name, organizationId }: SettingLinkProps) {
  const { mayChooseAll } = useOrganization()
  if (place === undefined) return name
  const owner = organizationId !== undefined || mayChooseAll ? { org: organizationId } : {}
  return (
    <Anchor component={Link} to={place.to} hash={place.anchor} search={owner as never} size="sm">
      {name}
    </Anchor>
  )
}

function PageLink({ to, tab, name }: { readonly to: string; readonly tab: string; readonly name: string }) {
  return (
    <Anchor component={Link} to={to} search={{ tab } as never} size="sm">
      {name}
    </Anchor>
  )
}
