/** Says when targets are called: a condition, and the targets in the order of the calls. */
import { useQuery } from '@connectrpc/connect-query'
import { Autocomplete, Button, Group, Modal, MultiSelect, NativeSelect, Stack } from '@mantine/core'
import { useState } from 'react'
import { ActionService } from '../../../../contract/gen/signet/action/v2/action_service_pb.ts'
import type { Execution } from '../../../../contract/gen/signet/action/v2/execution_pb.ts'
import type { Target } from '../../../../contract/gen/signet/action/v2/target_pb.ts'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useTexts } from '../../texts/index.tsx'
import { type ConditionScope, type ConditionType, conditionOf, SCOPES, TYPES, valuesOf } from './conditions.ts'
import { actionTexts } from './texts/index.ts'

const methods = ActionService.method
/** As many as an execution may have. */
const MOST_TARGETS = 20
const MOST_PROPOSED = 50

/** The names that a condition of a type and scope can have. */
function useNames(type: ConditionType, scope: ConditionScope): readonly string[] {
  const byMethod = useQuery(methods.listExecutionMethods, {}, { enabled: scope === 'method' })
  const byService = useQuery(methods.listExecutionServices, {}, { enabled: scope === 'service' })
  const byName = useQuery(methods.listExecutionFunctions, {}, { enabled: type === 'function' })
  if (scope === 'method') return byMethod.data?.methods ?? []
  if (scope === 'service') return byService.data?.services ?? []
  return type === 'function' ? (byName.data?.functions ?? []) : []
}

interface DialogProps {
  readonly execution: Execution | 'new'
  readonly targets: readonly Target[]
  onClose(): void
}

export function ExecutionDialog({ execution, targets, onClose }: DialogProps) {
  const t = useTexts(actionTexts)
  const { close, save } = useTexts(partsTexts)
  const isNew = execution === 'new'
  const given = isNew ? undefined : execution
  const [values, setValues] = useState(
    given?.condition === undefined ? ({ type: 'event', scope: 'all', value: '' } as const) : valuesOf(given.condition),
  )
  const [chosen, setChosen] = useState<string[]>(given?.targets ?? [])
  const names = useNames(values.type, values.scope)
  const set = useAction(methods.setExecution, {
    done: t.executionSaved,
    changes: [methods.listExecutions],
    onDone: onClose,
  })
  const needsValue = values.scope !== 'all'
  const isReady = chosen.length > 0 && (!needsValue || values.value.trim() !== '')
  return (
    <Modal
      opened
      size="lg"
      onClose={onClose}
      title={isNew ? t.addExecution : t.editExecution}
      closeButtonProps={{ 'aria-label': close }}
    >
      <Stack>
        <NativeSelect
          label={t.conditionType}
          disabled={!isNew}
          value={values.type}
          data={TYPES.map((value) => ({ value, label: t.conditionTypes[value] }))}
          onChange={(event) => {
            const type = event.currentTarget.value as ConditionType
            setValues({ type, scope: SCOPES[type][0], value: '' })
          }}
        />
        {values.type !== 'function' && (
          <NativeSelect
            label={t.scope}
            disabled={!isNew}
            value={values.scope}
            data={SCOPES[values.type].map((value) => ({ value, label: t.scopes[value] }))}
            onChange={(event) =>
              setValues({ ...values, scope: event.currentTarget.value as ConditionScope, value: '' })
            }
          />
        )}
        {needsValue && (
          <Autocomplete
            label={t.scopes[values.scope]}
            disabled={!isNew}
            required
            data={[...names]}
            limit={MOST_PROPOSED}
            value={values.value}
            onChange={(value) => setValues({ ...values, value })}
          />
        )}
        <MultiSelect
          label={t.targets}
          description={t.orderHint}
          data={targets.map(({ id, name }) => ({ value: id, label: name }))}
          value={chosen}
          onChange={setChosen}
          maxValues={MOST_TARGETS}
          searchable
        />
        <Group justify="flex-end">
          <Button
            disabled={!isReady}
            loading={set.isRunning}
            onClick={() =>
              set.run({ condition: conditionOf({ ...values, value: values.value.trim() }), targets: chosen })
            }
          >
            {save}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
