/** What should be set up before people depend on this server, each with the way to it. */

import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Group, List, Text, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { GetOverviewResponse } from '../../../../contract/gen/signet/monitoring/v1/monitoring_service_pb.ts'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { PATHS } from '../../../../src/kernel/page-paths.ts'
import { useMe } from '../../access/me.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Section } from '../../parts/section.tsx'
import { environment } from '../../session/environment.ts'
import { useTexts } from '../../texts/index.tsx'
import { homeTexts } from './texts/index.ts'

/** Hosts that only this machine reaches. */
const OWN_MACHINE = /^(localhost|.*\.localhost|127\..*|\[::1\])$/

interface Item {
  readonly key: string
  readonly isDone: boolean
  readonly hint: string
  readonly link: ReactNode
}

/** The checklist; without the overview, only what the caller can do for themselves. */
export function Checklist({ overview }: { readonly overview: GetOverviewResponse | undefined }) {
  const t = useTexts(homeTexts)
  const { userId } = useMe()
  const passkeys = useQuery(UserService.method.listPasskeys, { userId })
  const items: Item[] = []
  if (overview) {
    const host = new URL(environment().issuer).hostname
    items.push(
      {
        key: 'mail',
        isDone: overview.mailServerActive,
        ...t.checklist.mail,
        link: <PageLink to="/mail" label={t.checklist.mail.label} />,
      },
      {
        key: 'address',
        isDone: !OWN_MACHINE.test(host),
        ...t.checklist.address,
        link: <PageLink to="/settings" label={t.checklist.address.label} />,
      },
      {
        key: 'administrator',
        isDone: overview.owners > 1n,
        ...t.checklist.administrator,
        link: <PageLink to="/administrators/instance/add" label={t.checklist.administrator.label} />,
      },
    )
  }
  if (passkeys.data) {
    items.push({
      key: 'passkey',
      isDone: passkeys.data.result.length > 0,
      ...t.checklist.passkey,
      link: (
        <Anchor href={`${PATHS.keys}?use=passkey`} size="sm" fw={500}>
          {t.checklist.passkey.label}
        </Anchor>
      ),
    })
  }
  const open = items.filter(({ isDone }) => !isDone).length
  return (
    <Section
      title={t.checklist.title}
      description={open === 0 ? t.checklist.allDone : t.checklist.open({ count: open })}
    >
      <List listStyleType="none" spacing="sm">
        {items.map(({ key, isDone, hint, link }) => (
          <List.Item key={key}>
            <Group wrap="nowrap" align="flex-start" gap="sm">
              <Text span c={isDone ? 'green' : 'var(--mantine-color-error)'} mt={2}>
                <Icon name={isDone ? 'check' : 'warning'} />
              </Text>
              <div>
                <VisuallyHidden>{isDone ? t.checklist.done : t.checklist.notDone} </VisuallyHidden>
                {link}
                {!isDone && (
                  <Text size="sm" c="dimmed">
                    {hint}
                  </Text>
                )}
              </div>
            </Group>
          </List.Item>
        ))}
      </List>
    </Section>
  )
}

/** A link to the page on which it is set up. */
function PageLink({ to, label }: { readonly to: string; readonly label: string }) {
  return (
    <Anchor component={Link} to={to} size="sm" fw={500}>
      {label}
    </Anchor>
  )
}
