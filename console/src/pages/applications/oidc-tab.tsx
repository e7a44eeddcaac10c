/** All settings of an application that signs users in. */
import { Alert, Button, Fieldset, Group, List, Stack } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useState } from 'react'
import type { Application } from '../../../../contract/gen/signet/application/v2/application_pb.ts'
import { ApplicationService } from '../../../../contract/gen/signet/application/v2/application_service_pb.ts'
import type { OIDCConfiguration } from '../../../../contract/gen/signet/application/v2/oidc_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import { FormProblems } from '../../parts/form-problems.tsx'
import { Section } from '../../parts/section.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { textAt, useTexts } from '../../texts/index.tsx'
import { AssuranceFields } from './assurance-fields.tsx'
import { AddressFields, BasicFields, LoginFields, TokenFields } from './oidc-fields.tsx'
import { changesMore, configOf, emptiesAList, type OidcValues, replacementOf, valuesOf } from './oidc-values.ts'
import { applicationTexts } from './texts/index.ts'
import { hasProblem, useUriProblems } from './use-uri-problem.ts'

const { getApplication, listApplications, updateApplication } = ApplicationService.method

const COMPLIANCE_PREFIX = 'Application.OIDC.V1.'

interface OidcTabProps {
  readonly application: Application
  readonly config: OIDCConfiguration
  readonly mayWrite: boolean
}

/** Saves in one call, or in two where a list becomes empty. */
function useSave({ application, config }: OidcTabProps, showError: (error: unknown) => boolean, onDone: () => void) {
  const { saved } = useTexts(partsTexts)
  const { applicationId, projectId } = application
  // What the server has, also before the application was read again.
  const [stored, setStored] = useState(() => valuesOf(application, config))
  const options = { done: saved, changes: [getApplication, listApplications], onError: showError, onDone }
  const update = useAction(updateApplication, options)
  const replace = useAction(ManagementService.method.updateOIDCAppConfig, options)
  return {
    isRunning: update.isRunning || replace.isRunning,
    async run(values: OidcValues) {
      if (emptiesAList(values, stored)) {
        const request = { ...replacementOf(values, config), projectId, appId: applicationId }
        const replaced = await replace.run(request)
        if (replaced === undefined) return
        setStored(values)
        if (!changesMore(values, stored)) return
      }
      const updated = await update.run({
        applicationId,
        projectId,
        name: values.name.trim(),
        applicationType: { case: 'oidcConfiguration', value: configOf(values, config) },
      })
      if (updated !== undefined) setStored(values)
    },
  }
}

/** The tab. */
export function OidcTab(props: OidcTabProps) {
  const { application, config, mayWrite } = props
  const t = useTexts(applicationTexts)
  const { save: saveLabel, required } = useTexts(partsTexts)
  const { form, problems, showError } = useServerForm<OidcValues>({
    initialValues: valuesOf(application, config),
    validate: { name: isNotEmpty(required) },
    paths: {
      name: 'name',
      grantTypes: 'oidcConfiguration.grantTypes',
      clockSkew: 'oidcConfiguration.clockSkew',
      backChannelLogoutUri: 'oidcConfiguration.backChannelLogoutUri',
      cibaNotificationUri: 'oidcConfiguration.cibaNotificationUri',
      cibaRequireSignedRequests: 'oidcConfiguration.cibaRequireSignedRequests',
      loginBaseUri: 'oidcConfiguration.loginVersion.loginV2.baseUri',
    },
    refusals: { 'application.name_taken': 'name' },
  })
  const save = useSave(props, showError, () => form.resetDirty())
  const uris = useUriProblems(form.values.kind, form.values.developmentMode)
  const send = form.onSubmit((values) => {
    const wrong = {
      redirectUris: hasProblem(values.redirectUris, uris.redirect),
      postLogoutRedirectUris: hasProblem(values.postLogoutRedirectUris, uris.redirect),
      additionalOrigins: hasProblem(values.additionalOrigins, uris.origin),
      backChannelLogoutUri: hasProblem([values.backChannelLogoutUri], uris.endpoint),
      cibaNotificationUri: hasProblem([values.cibaNotificationUri], uris.endpoint),
    }
    const fields = Object.entries(wrong).filter(([, isWrong]) => isWrong)
    if (fields.length > 0) return form.setErrors(Object.fromEntries(fields.map(([name]) => [name, t.uri.check])))
    return save.run(values)
  })
  return (
    <form onSubmit={send} noValidate>
      <Fieldset variant="unstyled" disabled={!mayWrite}>
        <Stack>
          <FormProblems problems={problems} />
          {config.nonCompliant && <ComplianceNotice config={config} />}
          <Section title={t.sections.basic}>
            <BasicFields form={form} />
          </Section>
          <Section title={t.sections.addresses}>
            <AddressFields form={form} uris={uris} isDisabled={!mayWrite} />
          </Section>
          <Section title={t.sections.tokens}>
            <TokenFields form={form} />
          </Section>
          <Section title={t.assurance.title} description={t.assurance.hint}>
            <AssuranceFields form={form} />
          </Section>
          <Section title={t.sections.login}>
            <LoginFields form={form} />
          </Section>
          {mayWrite && (
            <Group justify="flex-end" maw={720}>
              <Button type="submit" loading={save.isRunning} disabled={!form.isDirty()}>
                {saveLabel}
              </Button>
            </Group>
          )}
        </Stack>
      </Fieldset>
    </form>
  )
}

function ComplianceNotice({ config }: { readonly config: OIDCConfiguration }) {
  const t = useTexts(applicationTexts)
  return (
    <Alert
      color="yellow"
      title={t.notCompliant}
      maw={720}
      // The usual colour of the title is too pale on yellow.
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
    >
      <List size="sm">
        {config.complianceProblems.map(({ key }) => {
          const sentence = textAt(t.compliance, key.slice(COMPLIANCE_PREFIX.length))
          return sentence && <List.Item key={key}>{sentence}</List.Item>
        })}
      </List>
    </Alert>
  )
}
