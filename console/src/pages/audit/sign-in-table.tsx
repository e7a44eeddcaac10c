/** Sign-ins as a table, or as cards on narrow screens. */
import { Anchor, Group, Paper, Stack, Table, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import type { SignIn } from '../../../../contract/gen/signet/sign_in/v1/sign_in_pb.ts'
import { StateBadge } from '../../parts/state-badge.tsx'
import { When } from '../../parts/when.tsx'
import { METHODS, nameIn, OUTCOMES } from '../../sign-ins/names.ts'
import { signInSentence } from '../../sign-ins/sentence.ts'
import { signInWords } from '../../sign-ins/texts/index.ts'
import { useTexts } from '../../texts/index.tsx'
import { From } from './sign-in-facts.tsx'
import { auditTexts } from './texts/index.ts'

const MOODS = { succeeded: 'good', failed: 'bad', pending: 'waiting' } as const

interface SignInTableProps {
  readonly signIns: readonly SignIn[]
  onShow(signIn: SignIn): void
}

/** The sign-ins; each opens at the side with its steps. */
export function SignInTable(props: SignInTableProps) {
  const isNarrow = useMediaQuery('(max-width: 62em)', false, { getInitialValueInEffect: false })
  return isNarrow ? <Cards {...props} /> : <Rows {...props} />
}

function Rows({ signIns, onShow }: SignInTableProps) {
  const t = useTexts(auditTexts)
  const words = useTexts(signInWords)
  return (
    <Paper withBorder>
      <Table verticalSpacing="xs" horizontalSpacing="md" highlightOnHover aria-label={t.signIns}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.when}</Table.Th>
            <Table.Th>{t.what}</Table.Th>
            <Table.Th>{t.outcome}</Table.Th>
            <Table.Th>{t.method}</Table.Th>
            <Table.Th>{t.from}</Table.Th>
            <Table.Th>{t.user}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {signIns.map((signIn) => {
            const method = nameIn(METHODS, signIn.method)
            return (
              <Table.Tr key={signIn.id}>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>
                  <When time={signIn.startDate} />
                </Table.Td>
                <Table.Td>
                  <What signIn={signIn} onShow={onShow} />
                </Table.Td>
                <Table.Td>
                  <OutcomeBadge signIn={signIn} />
                </Table.Td>
                <Table.Td>
                  <Text size="sm">{method ? words.methods[method] : '–'}</Text>
                </Table.Td>
                <Table.Td>
                  <From signIn={signIn} />
                </Table.Td>
                <Table.Td>
                  <Who signIn={signIn} />
                </Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </Paper>
  )
}

function Cards({ signIns, onShow }: SignInTableProps) {
  const t = useTexts(auditTexts)
  return (
    <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t.signIns}>
      {signIns.map((signIn) => (
        <Paper withBorder p="sm" component="li" key={signIn.id}>
          <What signIn={signIn} onShow={onShow} />
          <Group gap="xs" justify="space-between">
            <OutcomeBadge signIn={signIn} />
            <From signIn={signIn} />
            <When time={signIn.startDate} />
          </Group>
        </Paper>
      ))}
    </Stack>
  )
}

/** Whether it succeeded. */
export function OutcomeBadge({ signIn }: { readonly signIn: SignIn }) {
  const { outcomes } = useTexts(signInWords)
  const outcome = nameIn(OUTCOMES, signIn.outcome) ?? 'pending'
  return <StateBadge mood={MOODS[outcome]} label={outcomes[outcome]} />
}

function What({ signIn, onShow }: { readonly signIn: SignIn; onShow(signIn: SignIn): void }) {
  const words = useTexts(signInWords)
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      ta="start"
      style={{ overflowWrap: 'anywhere' }}
      onClick={() => onShow(signIn)}
    >
      {signInSentence(signIn, words)}
    </Anchor>
  )
}

function Who({ signIn: { user } }: { readonly signIn: SignIn }) {
  if (user === undefined) return <Text size="sm">–</Text>
  return (
    <Anchor component={Link} to="/users/$userId" params={{ userId: user.id } as never} size="sm">
      {user.preferredLoginName || user.displayName || user.id}
    </Anchor>
  )
}
