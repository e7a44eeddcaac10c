/** The domains of an organization: add, verify and remove. */
import { useQuery } from '@connectrpc/connect-query'
import { Button, Group, Text, TextInput } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { TextQueryMethod } from '../../../../contract/gen/signet/object/v2/object_pb.ts'
import { type Domain, DomainFieldName } from '../../../../contract/gen/signet/org/v2/domain_pb.ts'
import { OrganizationService } from '../../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { ConfirmRemove } from '../../parts/confirm-remove.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Icon } from '../../parts/icons.tsx'
import { type Column, ListSection } from '../../parts/list-page.tsx'
import { rowsAt } from '../../parts/rows-at.ts'
import { StateBadge } from '../../parts/state-badge.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useListState } from '../../parts/use-list-state.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { DomainVerification } from './domain-verification.tsx'
import { DOMAIN_LIST } from './list-spec.ts'
import { organizationTexts } from './texts/index.ts'

const { listOrganizationDomains, addOrganizationDomain, deleteOrganizationDomain, listOrganizations } =
  OrganizationService.method

const SORTS = { name: DomainFieldName.NAME, created: DomainFieldName.CREATION_DATE } as const

interface DomainsTabProps {
  readonly organizationId: string
  readonly mayWrite: boolean
}

/** The tab. */
export function DomainsTab({ organizationId, mayWrite }: DomainsTabProps) {
  const t = useTexts(organizationTexts)
  const state = useListState(DOMAIN_LIST)
  const [isAdding, adding] = useDisclosure()
  const [verified, setVerified] = useState<string>()
  const method = TextQueryMethod.CONTAINS_IGNORE_CASE
  const found = useQuery(
    listOrganizationDomains,
    {
      organizationId,
      pagination: { offset: state.offset, limit: state.limit, asc: state.isAscending },
      sortingColumn: SORTS[state.sort],
      filters: state.q ? [{ filter: { case: 'domainFilter', value: { domain: state.q, method } } }] : [],
    },
    { placeholderData: keepPreviousData },
  )
  const columns: [Column<Domain>, ...Column<Domain>[]] = [
    { key: 'name', header: t.domain, sort: 'name', cell: ({ domain }) => <Text size="sm">{domain}</Text> },
    { key: 'state', header: t.state, cell: (domain) => <DomainState domain={domain} /> },
  ]
  if (mayWrite) {
    const cell = (domain: Domain) => <DomainActions domain={domain} onVerify={() => setVerified(domain.domain)} />
    columns.push({ key: 'actions', header: t.actions, cell })
  }
  return (
    <>
      <ListSection
        title={t.tabs.domains}
        description={t.domains.hint}
        actions={
          mayWrite && (
            <Button onClick={adding.open} leftSection={<Icon name="plus" size={16} />}>
              {t.domains.add}
            </Button>
          )
        }
        state={state}
        searchLabel={t.domain}
        columns={columns}
        list={rowsAt(found, ({ domains }) => domains)}
        keyOf={({ domain }) => domain}
        empty={<Text>{t.domains.empty}</Text>}
      />
      {isAdding && <AddDomain organizationId={organizationId} onClose={adding.close} onAdded={setVerified} />}
      {verified !== undefined && (
        <DomainVerification organizationId={organizationId} domain={verified} onClose={() => setVerified(undefined)} />
      )}
    </>
  )
}

function DomainState({ domain: { isVerified, isPrimary } }: { readonly domain: Domain }) {
  const { domains: t } = useTexts(organizationTexts)
  return (
    <Group gap="xs">
      <StateBadge mood={isVerified ? 'good' : 'waiting'} label={isVerified ? t.verified : t.notVerified} />
      {isPrimary && <StateBadge mood="stopped" label={t.primary} />}
    </Group>
  )
}

function DomainActions({ domain, onVerify }: { readonly domain: Domain; onVerify(): void }) {
  const { domains: t } = useTexts(organizationTexts)
  const { remove: removeTexts } = useTexts(partsTexts)
  const [isOpen, { open, close }] = useDisclosure()
  const { organizationId, domain: name } = domain
  const remove = useAction(deleteOrganizationDomain, {
    done: t.removeDone,
    changes: [listOrganizationDomains, listOrganizations],
  })
  return (
    <Group gap="xs" wrap="nowrap">
      {!domain.isVerified && (
        <Button size="xs" variant="default" onClick={onVerify} aria-label={t.verifyNamed({ domain: name })}>
          {t.verify}
        </Button>
      )}
      <Button size="xs" variant="default" onClick={open} aria-label={t.removeNamed({ domain: name })}>
        {removeTexts.button}
      </Button>
      <ConfirmRemove
        name={name}
        isOpen={isOpen}
        onClose={close}
        consequence={t.removeHint}
        isRunning={remove.isRunning}
        onConfirm={() => remove.run({ organizationId, domain: name })}
      />
    </Group>
  )
}

interface AddDomainProps {
  readonly organizationId: string
  onClose(): void
  onAdded(domain: string): void
}

function AddDomain({ organizationId, onClose, onAdded }: AddDomainProps) {
  const t = useTexts(organizationTexts)
  const { required } = useTexts(partsTexts)
  const { form, problems, showError } = useServerForm({
    initialValues: { domain: '' },
    validate: { domain: isNotEmpty(required) },
    paths: { domain: 'domain' },
    refusals: {
      'organization.domain_exists': 'domain',
      'organization.domain_taken': 'domain',
      'organization.too_many_domains': 'domain',
    },
  })
  const add = useAction(addOrganizationDomain, {
    done: t.domains.addDone,
    changes: [listOrganizationDomains],
    onError: showError,
    onDone: () => {
      onClose()
      onAdded(form.values.domain.trim().toLowerCase())
    },
  })
  return (
    <FormDialog
      title={t.domains.add}
      submitLabel={t.domains.add}
      problems={problems}
      isRunning={add.isRunning}
      onClose={onClose}
      onSubmit={form.onSubmit(({ domain }) => add.run({ organizationId, domain: domain.trim() }))}
    >
      <TextInput
        label={t.domain}
        description={t.domains.example}
        required
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('domain')}
      />
    </FormDialog>
  )
}
