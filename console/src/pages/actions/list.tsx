/** Targets and executions: what is called, and when. */
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Button, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ActionService } from '../../../../contract/gen/signet/action/v2/action_service_pb.ts'
import type { Execution } from '../../../../contract/gen/signet/action/v2/execution_pb.ts'
import type { Target } from '../../../../contract/gen/signet/action/v2/target_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { AreaPage } from '../../parts/area-page.tsx'
import { ConfirmRemove } from '../../parts/confirm-remove.tsx'
import { Icon } from '../../parts/icons.tsx'
import { ItemList } from '../../parts/item-list.tsx'
import { Section } from '../../parts/section.tsx'
import { useAction } from '../../parts/use-action.ts'
import { When } from '../../parts/when.tsx'
import { useTexts } from '../../texts/index.tsx'
import { describe, keyOf } from './conditions.ts'
import { ExecutionDialog } from './execution-dialog.tsx'
import { actionTexts } from './texts/index.ts'

const methods = ActionService.method
const ALL = { pagination: { limit: 1000 } }

/** The page. */
export function ActionsPage() {
  const t = useTexts(actionTexts)
  const { can } = usePermissions()
  const targets = useQuery(methods.listTargets, ALL)
  return (
    <AreaPage
      title={t.title}
      description={t.lead}
      actions={
        can('action.target.write') && (
          <Button component={Link} to="/actions/new" leftSection={<Icon name="plus" size={16} />}>
            {t.create}
          </Button>
        )
      }
    >
      <Section title={t.targets} description={t.targetsHint}>
        <ItemList<Target>
          label={t.targets}
          columns={[
            {
              key: 'name',
              header: t.name,
              cell: ({ id, name }) => (
                <Anchor component={Link} to="/actions/$targetId" params={{ targetId: id } as never} size="sm" fw={500}>
                  {name}
                </Anchor>
              ),
            },
            {
              key: 'endpoint',
              header: t.endpoint,
              cell: ({ endpoint }) => (
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {endpoint}
                </Text>
              ),
            },
            {
              key: 'type',
              header: t.type,
              cell: ({ targetType }) => <Text size="sm">{t.types[targetType.case ?? 'restWebhook']}</Text>,
            },
          ]}
          list={{ rows: targets.data?.targets, error: targets.error, refetch: targets.refetch }}
          keyOf={({ id }) => id}
          textOf={({ id, name, endpoint }) => `${id} ${name} ${endpoint}`}
          empty={t.noTargets}
        />
      </Section>
      <ExecutionsSection targets={targets.data?.targets ?? []} mayWrite={can('action.execution.write')} />
    </AreaPage>
  )
}

interface ExecutionsProps {
  readonly targets: readonly Target[]
  readonly mayWrite: boolean
}

function ExecutionsSection({ targets, mayWrite }: ExecutionsProps) {
  const t = useTexts(actionTexts)
  const query = useQuery(methods.listExecutions, ALL)
  const [edited, setEdited] = useState<Execution | 'new'>()
  const [removed, setRemoved] = useState<Execution>()
  const remove = useAction(methods.setExecution, { done: t.executionRemoved, changes: [methods.listExecutions] })
  const nameOf = (id: string) => targets.find((target) => target.id === id)?.name ?? id
  const sentenceOf = ({ condition }: Execution) => (condition === undefined ? '' : describe(condition, t))
  return (
    <Section title={t.executions} description={t.executionsHint}>
      <ItemList<Execution>
        label={t.executions}
        columns={[
          {
            key: 'condition',
            header: t.condition,
            cell: (execution) => (
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {sentenceOf(execution)}
              </Text>
            ),
          },
          {
            key: 'targets',
            header: t.targets,
            cell: (execution) => <Text size="sm">{execution.targets.map(nameOf).join(', ')}</Text>,
          },
          { key: 'changed', header: t.changed, cell: ({ changeDate }) => <When time={changeDate} /> },
        ]}
        list={{ rows: query.data?.executions, error: query.error, refetch: query.refetch }}
        keyOf={({ condition }) => (condition === undefined ? '' : keyOf(condition))}
        textOf={(execution) => `${sentenceOf(execution)} ${execution.targets.map(nameOf).join(' ')}`}
        empty={t.noExecutions}
        actions={
          mayWrite &&
          ((execution) => (
            <Group gap="xs" wrap="nowrap">
              <Button size="compact-sm" variant="subtle" onClick={() => setEdited(execution)}>
                {t.edit}
              </Button>
              <Button size="compact-sm" variant="subtle" onClick={() => setRemoved(execution)}>
                {t.remove}
              </Button>
            </Group>
          ))
        }
      />
      {mayWrite && (
        <Button variant="default" w="fit-content" disabled={targets.length === 0} onClick={() => setEdited('new')}>
          {t.addExecution}
        </Button>
      )}
      {edited !== undefined && (
        <ExecutionDialog execution={edited} targets={targets} onClose={() => setEdited(undefined)} />
      )}
      {removed !== undefined && (
        <ConfirmRemove
          name={sentenceOf(removed)}
          isOpen
          onClose={() => setRemoved(undefined)}
          consequence={t.executionConsequence}
          isRunning={remove.isRunning}
          onConfirm={() => remove.run({ ...(removed.condition && { condition: removed.condition }), targets: [] })}
        />
      )}
    </Section>
  )
}
