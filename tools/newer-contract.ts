/**
 * What clients of the ZITADEL API know and the published package does not yet: one line for each message, enum and service
 * of a package, read by `describe-file.ts`. Remove a package from here once the published one has it.
 */
const TIME = 'google.protobuf.Timestamp'
const SPAN = 'google.protobuf.Duration'
const PAGE = '1 pagination zitadel.filter.v2.PaginationRequest'
const PAGED = 'zitadel.filter.v2.PaginationResponse'

export const NEWER: Readonly<Record<string, string>> = {
  'zitadel.settings.v2': `
    service SettingsService: GetLinkSettings SetLinkSettings ResetLinkSettings GetEffectiveSettings
    enum LinkType: LINK_TYPE TERMS_OF_SERVICE PRIVACY_POLICY HELP SUPPORT DOCS CUSTOM
    enum LinkTarget: LINK_TARGET SELF BLANK
    enum Source: SOURCE SYSTEM INSTANCE ORGANIZATION PROJECT APPLICATION
    enum SettingsType: SETTINGS_TYPE LINK_SETTINGS
    Link: 1 type LinkType; 2 url string; 3 translation_key string; 4 target LinkTarget
    LinkSettings: 1 links [Link]
    GetLinkSettingsRequest: 1 ctx zitadel.object.v2.RequestContext
    GetLinkSettingsResponse: 1 settings LinkSettings; 2 source Source
    SetLinkSettingsRequest: 1 ctx zitadel.object.v2.RequestContext; 2 links [Link]
    SetLinkSettingsResponse: 1 change_date ${TIME}; 2 settings LinkSettings
    ResetLinkSettingsRequest: 1 ctx zitadel.object.v2.RequestContext
    ResetLinkSettingsResponse: 1 change_date ${TIME}; 2 settings LinkSettings
    GetEffectiveSettingsRequest: 1 organization_id string; 2 project_id string; 3 application_id string; 4 types [SettingsType]
    GetEffectiveSettingsResponse: 7 links LinkSettings`,
  'zitadel.instance.v2': `
    service InstanceService: DeleteInstance GetInstance UpdateInstance ListInstances AddCustomDomain RemoveCustomDomain ListCustomDomains AddTrustedDomain RemoveTrustedDomain ListTrustedDomains
    enum State: STATE CREATING RUNNING STOPPING STOPPED
    enum FieldName: FIELD_NAME ID NAME CREATION_DATE
    enum DomainFieldName: DOMAIN_FIELD_NAME DOMAIN PRIMARY GENERATED CREATION_DATE
    enum TrustedDomainFieldName: TRUSTED_DOMAIN_FIELD_NAME DOMAIN CREATION_DATE
    CustomDomain: 1 instance_id string; 2 creation_date ${TIME}; 3 domain string; 4 primary bool; 5 generated bool
    TrustedDomain: 1 instance_id string; 2 creation_date ${TIME}; 3 domain string
    Instance: 1 id string; 2 change_date ${TIME}; 3 creation_date ${TIME}; 4 state State; 5 name string; 6 version string; 7 custom_domains [CustomDomain]
    DomainFilter: 1 domain string; 2 method zitadel.object.v2.TextQueryMethod
    CustomDomainFilter: 1 domain_filter DomainFilter |; 2 generated_filter bool |; 3 primary_filter bool |
    TrustedDomainFilter: 1 domain_filter DomainFilter |
    InIDsFilter: 1 ids [string]
    CustomDomainsFilter: 1 domains [string]
    Filter: 1 in_ids_filter InIDsFilter |; 2 custom_domains_filter CustomDomainsFilter |
    DeleteInstanceRequest: 1 instance_id string
    DeleteInstanceResponse: 1 deletion_date ${TIME}
    GetInstanceRequest: 1 instance_id string
    GetInstanceResponse: 1 instance Instance
    UpdateInstanceRequest: 1 instance_id string; 2 instance_name string
    UpdateInstanceResponse: 1 change_date ${TIME}
    ListInstancesRequest: ${PAGE}; 2 sorting_column FieldName; 3 filters [Filter]
    ListInstancesResponse: 1 instances [Instance]; 2 pagination ${PAGED}
    AddCustomDomainRequest: 1 instance_id string; 2 custom_domain string
    AddCustomDomainResponse: 1 creation_date ${TIME}
    RemoveCustomDomainRequest: 1 instance_id string; 2 custom_domain string
    RemoveCustomDomainResponse: 1 deletion_date ${TIME}
    ListCustomDomainsRequest: 1 instance_id string; 2 pagination zitadel.filter.v2.PaginationRequest; 3 sorting_column DomainFieldName; 4 filters [CustomDomainFilter]
    ListCustomDomainsResponse: 1 domains [CustomDomain]; 2 pagination ${PAGED}
    AddTrustedDomainRequest: 1 instance_id string; 2 trusted_domain string
    AddTrustedDomainResponse: 1 creation_date ${TIME}
    RemoveTrustedDomainRequest: 1 instance_id string; 2 trusted_domain string
    RemoveTrustedDomainResponse: 1 deletion_date ${TIME}
    ListTrustedDomainsRequest: 1 instance_id string; 2 pagination zitadel.filter.v2.PaginationRequest; 3 sorting_column TrustedDomainFieldName; 4 filters [TrustedDomainFilter]
    ListTrustedDomainsResponse: 1 trusted_domain [TrustedDomain]; 2 pagination ${PAGED}`,
  'zitadel.admin.v1': `
    service AdminService: AddEmailProviderSMTP UpdateEmailProviderSMTP TestEmailProviderSMTP GetEmailProviderById
    SMTPNoAuth:
    SMTPPlainAuth: 1 password string
    ClientCredentials: 1 client_id string; 2 client_secret string
    SMTPXOAuth2Auth: 1 token_endpoint string; 2 scopes [string]; 3 client_credentials ClientCredentials |
    AddEmailProviderSMTPRequest: 1 sender_address string; 2 sender_name string; 3 tls bool; 4 host string; 5 user string; 6 password string; 7 reply_to_address string; 8 description string; 9 none SMTPNoAuth |; 10 plain SMTPPlainAuth |; 11 xoauth2 SMTPXOAuth2Auth |
    AddEmailProviderSMTPResponse: 1 details zitadel.v1.ObjectDetails; 2 id string
    UpdateEmailProviderSMTPRequest: 1 sender_address string; 2 sender_name string; 3 tls bool; 4 host string; 5 user string; 6 reply_to_address string; 7 password string; 8 description string; 9 id string; 10 none SMTPNoAuth |; 11 plain SMTPPlainAuth |; 12 xoauth2 SMTPXOAuth2Auth |
    UpdateEmailProviderSMTPResponse: 1 details zitadel.v1.ObjectDetails
    TestEmailProviderSMTPRequest: 1 sender_address string; 2 sender_name string; 3 tls bool; 4 host string; 5 user string; 6 password string; 7 receiver_address string; 8 id string; 9 none SMTPNoAuth |; 10 plain SMTPPlainAuth |; 11 xoauth2 SMTPXOAuth2Auth |
    TestEmailProviderSMTPResponse:
    ShownNoAuth:
    ShownPlainAuth:
    ShownCredentials: 1 client_id string
    ShownXOAuth2Auth: 1 token_endpoint string; 2 scopes [string]; 3 client_credentials ShownCredentials |
    EmailProviderSMTP: 1 sender_address string; 2 sender_name string; 3 tls bool; 4 host string; 5 user string; 6 reply_to_address string; 9 none ShownNoAuth |; 10 plain ShownPlainAuth |; 11 xoauth2 ShownXOAuth2Auth |
    EmailProviderHTTP: 1 endpoint string; 2 signing_key string
    EmailProvider: 1 details zitadel.v1.ObjectDetails; 2 id string; 3 state zitadel.settings.v1.EmailProviderState; 4 smtp EmailProviderSMTP |; 5 http EmailProviderHTTP |; 6 description string
    GetEmailProviderByIdRequest: 1 id string
    GetEmailProviderByIdResponse: 1 config EmailProvider`,
  'zitadel.action.v2': `
    service ActionService: CreateTarget UpdateTarget DeleteTarget GetTarget ListTargets AddPublicKey ActivatePublicKey DeactivatePublicKey RemovePublicKey ListPublicKeys SetExecution ListExecutions ListExecutionFunctions ListExecutionMethods ListExecutionServices
    enum PayloadType: PAYLOAD_TYPE JSON JWT JWE
    enum TargetFieldName: TARGET_FIELD_NAME ID CREATED_DATE CHANGED_DATE NAME TARGET_TYPE URL TIMEOUT INTERRUPT_ON_ERROR
    enum PublicKeyFieldName: PUBLIC_KEY_FIELD_NAME CREATION_DATE CHANGE_DATE EXPIRATION_DATE
    enum ExecutionFieldName: EXECUTION_FIELD_NAME ID CREATED_DATE CHANGED_DATE
    enum ExecutionType: EXECUTION_TYPE REQUEST RESPONSE EVENT FUNCTION
    RESTWebhook: 1 interrupt_on_error bool
    RESTCall: 1 interrupt_on_error bool
    RESTAsync:
    CreateTargetRequest: 1 name string; 2 rest_webhook RESTWebhook |; 3 rest_call RESTCall |; 4 rest_async RESTAsync |; 5 timeout ${SPAN}; 6 endpoint string; 7 payload_type PayloadType
    CreateTargetResponse: 1 id string; 2 creation_date ${TIME}; 3 signing_key string
    UpdateTargetRequest: 1 id string; 2 name string; 3 rest_webhook RESTWebhook |; 4 rest_call RESTCall |; 5 rest_async RESTAsync |; 6 timeout ${SPAN}; 7 endpoint string; 8 expiration_signing_key ${SPAN}; 9 payload_type PayloadType
    UpdateTargetResponse: 1 change_date ${TIME}; 2 signing_key string
    DeleteTargetRequest: 1 id string
    DeleteTargetResponse: 3 deletion_date ${TIME}
    GetTargetRequest: 1 id string
    GetTargetResponse: 1 target Target
    Target: 1 id string; 2 creation_date ${TIME}; 3 change_date ${TIME}; 4 name string; 5 rest_webhook RESTWebhook |; 6 rest_call RESTCall |; 7 rest_async RESTAsync |; 8 timeout ${SPAN}; 9 endpoint string; 10 signing_key string; 11 payload_type PayloadType
    AddPublicKeyRequest: 1 target_id string; 2 public_key bytes; 3 expiration_date ${TIME}
    AddPublicKeyResponse: 1 key_id string; 2 creation_date ${TIME}
    ActivatePublicKeyRequest: 1 target_id string; 2 key_id string
    ActivatePublicKeyResponse: 1 change_date ${TIME}
    DeactivatePublicKeyRequest: 1 target_id string; 2 key_id string
    DeactivatePublicKeyResponse: 1 change_date ${TIME}
    RemovePublicKeyRequest: 1 target_id string; 2 key_id string
    RemovePublicKeyResponse: 1 deletion_date ${TIME}
    PublicKey: 1 key_id string; 2 active bool; 3 public_key bytes; 4 fingerprint string; 5 expiration_date ${TIME}; 6 creation_date ${TIME}; 7 change_date ${TIME}
    ExecutionRequestCondition: 1 method string |; 2 service string |; 3 all bool |
    FunctionExecution: 1 name string
    EventExecution: 1 event string |; 2 group string |; 3 all bool |
    Condition: 1 request ExecutionRequestCondition |; 2 response ExecutionRequestCondition |; 3 function FunctionExecution |; 4 event EventExecution |
    Execution: 1 condition Condition; 2 creation_date ${TIME}; 3 change_date ${TIME}; 4 targets [string]
    SetExecutionRequest: 1 condition Condition; 2 targets [string]
    SetExecutionResponse: 1 set_date ${TIME}
    ListExecutionFunctionsRequest:
    ListExecutionFunctionsResponse: 1 functions [string]
    ListExecutionMethodsRequest:
    ListExecutionMethodsResponse: 1 methods [string]
    ListExecutionServicesRequest:
    ListExecutionServicesResponse: 1 services [string]
    TargetNameFilter: 1 target_name string; 2 method zitadel.filter.v2.TextFilterMethod
    InTargetIDsFilter: 1 target_ids [string]
    TargetSearchFilter: 1 target_name_filter TargetNameFilter |; 2 in_target_ids_filter InTargetIDsFilter |
    ListTargetsRequest: ${PAGE}; 2 sorting_column TargetFieldName; 3 filters [TargetSearchFilter]
    ListTargetsResponse: 1 pagination ${PAGED}; 2 targets [Target]
    ListPublicKeysRequest: 1 target_id string; 2 pagination zitadel.filter.v2.PaginationRequest; 3 sorting_column PublicKeyFieldName
    ListPublicKeysResponse: 1 pagination ${PAGED}; 2 public_keys [PublicKey]
    InConditionsFilter: 1 conditions [Condition]
    ExecutionTypeFilter: 1 execution_type ExecutionType
    TargetFilter: 1 target_id string
    ExecutionSearchFilter: 1 in_conditions_filter InConditionsFilter |; 2 execution_type_filter ExecutionTypeFilter |; 3 target_filter TargetFilter |
    ListExecutionsRequest: ${PAGE}; 2 sorting_column ExecutionFieldName; 3 filters [ExecutionSearchFilter]
    ListExecutionsResponse: 1 pagination ${PAGED}; 2 executions [Execution]`,
}
