/** The page of one object: its name and state, what can be done with it, and its parts in tabs that the address names. */
import { ActionIcon, Anchor, CopyButton, Group, Stack, Tabs, Text, Title, Tooltip } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/index.tsx'
import { Icon } from './icons.tsx'
import { partsTexts } from './texts/index.ts'
import { useCurrentInView } from './use-current-in-view.ts'
import { usePageTitle } from './use-page-title.ts'

export interface DetailTab {
  /** The value of `tab` in the address. */
  readonly value: string
  readonly label: string
  readonly content: ReactNode
}

export interface DetailPageProps {
  readonly title: string
  readonly subtitle?: ReactNode
  readonly badge?: ReactNode
  /** The list that the object is in. */
  readonly parent: { readonly to: string; readonly label: string }
  readonly actions?: ReactNode
  /** What should be noticed before anything else. */
  readonly notice?: ReactNode
  /** Tabs that the user may not see are left out by the caller. */
  readonly tabs: readonly (DetailTab | false | undefined)[]
}

/** The page. Without a known tab in the address it shows the first one. */
export function DetailPage({ title, subtitle, badge, parent, actions, notice, tabs }: DetailPageProps) {
  const { tab } = useSearch({ strict: false }) as { readonly tab?: string }
  const navigate = useNavigate()
  const shown = tabs.filter((one): one is DetailTab => one !== undefined && one !== false)
  const current = shown.find(({ value }) => value === tab) ?? shown[0]
  usePageTitle(title)
  const tabList = useCurrentInView()
  const open = (value: string | null) =>
    navigate({ to: '.', search: (value === shown[0]?.value ? {} : { tab: value }) as never })
  return (
    <Stack gap="md" component="section">
      <Anchor component={Link} to={parent.to} size="sm" w="fit-content">
        ← {parent.label}
      </Anchor>
      <Group justify="space-between" align="flex-start">
        <div className="page-head">
          <Group gap="sm">
            <Title order={1} style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Title>
            {badge}
            <CopyLink />
          </Group>
          {subtitle && (
            <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {subtitle}
            </Text>
          )}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {notice}
      <Tabs value={current?.value ?? null} onChange={open} keepMounted={false}>
        <Tabs.List ref={tabList} mb="md" className="scrolling-tabs">
          {shown.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value} px="sm">
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {shown.map(({ value, content }) => (
          <Tabs.Panel key={value} value={value}>
            {content}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  )
}

function CopyLink() {
  const t = useTexts(partsTexts)
  return (
    <CopyButton value={location.href}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t.copied : t.copyLink}>
          <ActionIcon variant="subtle" color={copied ? 'green' : 'gray'} onClick={copy} aria-label={t.copyLink}>
            <Icon name={copied ? 'check' : 'link'} />
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  )
}
