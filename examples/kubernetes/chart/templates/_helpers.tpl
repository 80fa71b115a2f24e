{{- define "assay.fullname" -}}
{{- if contains "assay" .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-assay" (.Release.Name | trunc 44 | trimSuffix "-") -}}
{{- end -}}
{{- end -}}

{{- define "assay.selector" -}}
app.kubernetes.io/name: assay
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "assay.labels" -}}
{{ include "assay.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* What the pods of all roles have in common. */}}
{{- define "assay.pod" -}}
automountServiceAccountToken: false
# The program ends within 5 s of SIGTERM, after the seconds of preStop.
terminationGracePeriodSeconds: {{ add .Values.drainSeconds 15 }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    matchLabelKeys: [pod-template-hash]
    labelSelector:
      matchLabels:
        {{- include "assay.selector" . | nindent 8 }}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: secrets
    projected:
      defaultMode: 0440
      sources:
        {{- range $setting, $from := .Values.secrets }}
        - secret:
            name: {{ $from.name | quote }}
            items:
              - key: {{ $from.key | quote }}
                path: {{ lower $setting }}
        {{- end }}
  - name: data
    emptyDir:
      sizeLimit: 1Gi
  - name: tmp
    emptyDir:
      sizeLimit: 1Gi
  {{- with .Values.volumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* What the containers of all roles have in common. */}}
{{- define "assay.container" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
env:
  - name: HOST
    value: 0.0.0.0
  - name: PORT
    value: "4000"
  - name: METRICS_PORT
    value: "9400"
  - name: DATA_DIR
    value: /data
  {{- range $setting, $from := .Values.secrets }}
  - name: {{ $setting }}_FILE
    value: /run/secrets/assay/{{ lower $setting }}
  {{- end }}
  {{- range $setting, $text := .Values.settings }}
  - name: {{ $setting }}
    value: {{ $text | quote }}
  {{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
volumeMounts:
  - name: secrets
    mountPath: /run/secrets/assay
    readOnly: true
  - name: data
    mountPath: /data
  - name: tmp
    mountPath: /tmp
  {{- with .Values.volumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}
