{{- define "signet.name" -}}
{{- printf "%s" .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{- define "signet.selector" -}}
app.kubernetes.io/name: signet
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "signet.labels" -}}
{{ include "signet.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "signet.validate" -}}
{{- if not .Values.externalUrl -}}{{ fail "externalUrl is required, such as https://id.example.com" }}{{- end -}}
{{- if not .Values.image.repository -}}
{{ fail "image.repository is required: no image is published yet, and docs/how-to/run-in-production.md says how to build one" }}
{{- end -}}
{{- if and .Values.database.existingSecret (not .Values.masterKey.existingSecret) -}}
{{ fail "masterKey.existingSecret is required with PostgreSQL: all nodes use the same key" }}
{{- end -}}
{{- if and (gt (int .Values.replicas) 1) (not .Values.database.existingSecret) -}}
{{ fail "more than one replica needs PostgreSQL: set database.existingSecret" }}
{{- end -}}
{{- end -}}

{{- define "signet.pod" -}}
metadata:
  labels: {{- include "signet.labels" . | nindent 4 }}
  {{- with .Values.podAnnotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "signet.name" . }}
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile: { type: RuntimeDefault }
  containers:
    - name: signet
      image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      ports:
        - { name: http, containerPort: 8080 }
        - { name: metrics, containerPort: 9464 }
      env:
        - { name: SIGNET_LISTEN, value: "0.0.0.0:8080" }
        # Not on the port that the service and the ingress lead to.
        - { name: SIGNET_METRICS_LISTEN, value: "0.0.0.0:9464" }
        - { name: SIGNET_DATA_DIR, value: /data }
        - { name: SIGNET_EXTERNAL_URL, value: {{ .Values.externalUrl | quote }} }
        - { name: SIGNET_SHUTDOWN_DELAY, value: {{ .Values.shutdown.delay | quote }} }
        - { name: SIGNET_SHUTDOWN_GRACE, value: {{ .Values.shutdown.grace | quote }} }
        {{- if .Values.database.existingSecret }}
        - name: SIGNET_DATABASE_URL
          valueFrom:
            secretKeyRef: { name: {{ .Values.database.existingSecret }}, key: {{ .Values.database.key }} }
        {{- end }}
        {{- if .Values.masterKey.existingSecret }}
        - { name: SIGNET_MASTER_KEY_FILE, value: /run/secrets/signet/master.key }
        {{- end }}
        {{- if .Values.tls.existingSecret }}
        - { name: SIGNET_TLS_CERT_FILE, value: /run/secrets/tls/tls.crt }
        - { name: SIGNET_TLS_KEY_FILE, value: /run/secrets/tls/tls.key }
        {{- end }}
        {{- range $name, $value := .Values.settings }}
        - { name: {{ $name }}, value: {{ $value | quote }} }
        {{- end }}
      {{- with .Values.extraEnvFrom }}
      envFrom: {{- toYaml . | nindent 8 }}
      {{- end }}
      # Folding documents again after an upgrade can take a while.
      startupProbe:
        httpGet: { path: /readyz, port: http, scheme: {{ include "signet.scheme" . }} }
        periodSeconds: 2
        failureThreshold: 150
      readinessProbe:
        httpGet: { path: /readyz, port: http, scheme: {{ include "signet.scheme" . }} }
        periodSeconds: 5
        timeoutSeconds: 3
        failureThreshold: 2
      livenessProbe:
        httpGet: { path: /healthz, port: http, scheme: {{ include "signet.scheme" . }} }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      resources: {{- toYaml .Values.resources | nindent 8 }}
      volumeMounts:
        - { name: data, mountPath: /data }
        - { name: tmp, mountPath: /tmp }
        {{- if .Values.masterKey.existingSecret }}
        - { name: master-key, mountPath: /run/secrets/signet, readOnly: true }
        {{- end }}
        {{- if .Values.tls.existingSecret }}
        - { name: tls, mountPath: /run/secrets/tls, readOnly: true }
        {{- end }}
        {{- with .Values.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  volumes:
    - { name: tmp, emptyDir: {} }
    {{- if .Values.database.existingSecret }}
    - { name: data, emptyDir: {} }
    {{- end }}
    {{- if .Values.masterKey.existingSecret }}
    - name: master-key
      secret:
        secretName: {{ .Values.masterKey.existingSecret }}
        defaultMode: 0440
        items:
          - { key: {{ .Values.masterKey.key }}, path: master.key }
    {{- end }}
    {{- if .Values.tls.existingSecret }}
    - name: tls
      secret: { secretName: {{ .Values.tls.existingSecret }}, defaultMode: 0440 }
    {{- end }}
    {{- with .Values.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- if gt (int .Values.replicas) 1 }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels: {{- include "signet.selector" . | nindent 10 }}
  {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{- define "signet.scheme" -}}
{{- if .Values.tls.existingSecret -}}HTTPS{{- else -}}HTTP{{- end -}}
{{- end -}}
