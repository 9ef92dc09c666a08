// Command type-tables writes the facts about the built-in kinds that the embedded API server needs:
// per type and field the JSON name, the type, the protobuf field number, pointer and omitempty, and
// the merge key and strategy of strategic merge patch. It reflects over the published Go types and
// copies no text from them.
//
// Usage: go run . > ../../packages/apiserver/src/generated/type-tables.json
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"runtime/debug"
	"sort"
	"strconv"
	"strings"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	apps "k8s.io/api/apps/v1"
	authentication "k8s.io/api/authentication/v1"
	authorization "k8s.io/api/authorization/v1"
	certificates "k8s.io/api/certificates/v1"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	rbac "k8s.io/api/rbac/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// roots are the served kinds and the bodies that requests carry beside them.
var roots = []any{
	core.Namespace{}, core.Node{}, core.Pod{}, core.ConfigMap{}, core.Secret{}, core.Event{},
	core.ServiceAccount{}, core.Service{}, core.Endpoints{}, core.Binding{},
	apps.DaemonSet{}, apps.Deployment{}, apps.ReplicaSet{},
	coordination.Lease{},
	policy.PodDisruptionBudget{}, policy.Eviction{},
	rbac.Role{}, rbac.RoleBinding{}, rbac.ClusterRole{}, rbac.ClusterRoleBinding{},
	certificates.CertificateSigningRequest{},
	authentication.TokenReview{}, authentication.SelfSubjectReview{}, authentication.TokenRequest{},
	authorization.SubjectAccessReview{}, authorization.SelfSubjectAccessReview{},
	authorization.LocalSubjectAccessReview{}, authorization.SelfSubjectRulesReview{},
	apiextensions.CustomResourceDefinition{},
	admissionregistration.ValidatingWebhookConfiguration{},
	meta.DeleteOptions{}, meta.Status{}, meta.ListMeta{},
}

// opaque are types whose JSON or protobuf form is not that of their Go fields.
var opaque = map[string]string{
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":                                             "time",
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":                                        "microtime",
	"k8s.io/apimachinery/pkg/apis/meta/v1.Duration":                                         "duration",
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":                                         "raw",
	"k8s.io/apimachinery/pkg/api/resource.Quantity":                                         "quantity",
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString":                                       "intstr",
	"k8s.io/apimachinery/pkg/runtime.RawExtension":                                          "raw",
	"k8s.io/api/authentication/v1.ExtraValue":                                               "strings",
	"k8s.io/api/authorization/v1.ExtraValue":                                                "strings",
	"k8s.io/api/certificates/v1.ExtraValue":                                                 "strings",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON":                         "raw",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrArray":       "schemaOrArray",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrBool":        "schemaOrBool",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrStringArray": "schemaOrStrings",
}

const (
	flagPointer   = 1
	flagOmitEmpty = 2
	flagInline    = 4
)

var types = map[string]map[string][]any{}

func typeName(t reflect.Type) string {
	parts := strings.SplitN(t.PkgPath(), "/", 2)
	host := strings.Split(parts[0], ".")
	for i, j := 0, len(host)-1; i < j; i, j = i+1, j-1 {
		host[i], host[j] = host[j], host[i]
	}
	return strings.Join(host, ".") + "." + strings.ReplaceAll(parts[1], "/", ".") + "." + t.Name()
}

func expression(t reflect.Type) string {
	if word, found := opaque[t.PkgPath()+"."+t.Name()]; found {
		return word
	}
	switch t.Kind() {
	case reflect.Pointer:
		return expression(t.Elem())
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Int32, reflect.Uint8, reflect.Uint32:
		return "int32"
	case reflect.Int64, reflect.Int:
		return "int64"
	case reflect.Float64, reflect.Float32:
		return "double"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
		return "[]" + expression(t.Elem())
	case reflect.Map:
		return "{}" + expression(t.Elem())
	case reflect.Struct:
		visit(t)
		return "@" + typeName(t)
	}
	panic(fmt.Sprintf("no expression for %s", t))
}

func visit(t reflect.Type) {
	name := typeName(t)
	if _, seen := types[name]; seen {
		return
	}
	fields := map[string][]any{}
	types[name] = fields
	for index := 0; index < t.NumField(); index++ {
		addField(fields, t.Field(index))
	}
}

func addField(fields map[string][]any, field reflect.StructField) {
	tag := strings.Split(field.Tag.Get("json"), ",")
	if tag[0] == "-" || !field.IsExported() {
		return
	}
	number := 0
	if proto := strings.Split(field.Tag.Get("protobuf"), ","); len(proto) > 1 {
		number, _ = strconv.Atoi(proto[1])
	}
	flags := 0
	if field.Type.Kind() == reflect.Pointer {
		flags |= flagPointer
	}
	name := tag[0]
	for _, option := range tag[1:] {
		switch option {
		case "omitempty", "omitzero":
			flags |= flagOmitEmpty
		case "inline":
			flags |= flagInline
		}
	}
	if name == "" {
		flags |= flagInline
		name = "+" + field.Name
	}
	entry := []any{expression(field.Type), number, flags}
	if key := field.Tag.Get("patchMergeKey"); key != "" || field.Tag.Get("patchStrategy") != "" {
		entry = append(entry, field.Tag.Get("patchStrategy"), key)
	}
	fields[name] = entry
}

func main() {
	for _, root := range roots {
		visit(reflect.TypeOf(root))
	}
	version := "unknown"
	if build, ok := debug.ReadBuildInfo(); ok {
		for _, dependency := range build.Deps {
			if dependency.Path == "k8s.io/api" {
				version = dependency.Version
			}
		}
	}
	names := make([]string, 0, len(types))
	for name := range types {
		names = append(names, name)
	}
	sort.Strings(names)
	out := os.Stdout
	fmt.Fprintf(out, "{\n%q: %q,\n%q: %q,\n%q: {", "generated", "tools/type-tables, from the Go struct tags of k8s.io/api, apimachinery and apiextensions-apiserver; do not edit", "version", version, "types")
	for index, name := range names {
		body, err := json.Marshal(types[name])
		if err != nil {
			panic(err)
		}
		if index > 0 {
			fmt.Fprint(out, ",")
		}
		fmt.Fprintf(out, "\n%q: %s", name, body)
	}
	fmt.Fprint(out, "\n}\n}\n")
}
