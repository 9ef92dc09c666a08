// Command vectors writes one filled object per kind, as JSON and as the protobuf body that typed Go
// clients send, so that the decoder of the embedded API server can be checked against the real encoder.
//
// Usage: go run ./vectors > ../../packages/apiserver/src/wire/testdata/protobuf-vectors.json
package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"time"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	apps "k8s.io/api/apps/v1"
	authorization "k8s.io/api/authorization/v1"
	certificates "k8s.io/api/certificates/v1"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	rbac "k8s.io/api/rbac/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/intstr"
)

const maxDepth = 9

var moment = time.Date(2026, 3, 4, 5, 6, 7, 123456000, time.UTC)

var special = map[reflect.Type]any{
	reflect.TypeOf(meta.Time{}):            meta.NewTime(moment.Truncate(time.Second)),
	reflect.TypeOf(meta.MicroTime{}):       meta.NewMicroTime(moment),
	reflect.TypeOf(resource.Quantity{}):    resource.MustParse("1500m"),
	reflect.TypeOf(intstr.IntOrString{}):   intstr.FromString("25%"),
	reflect.TypeOf(runtime.RawExtension{}): runtime.RawExtension{Raw: []byte(`{"a":[1,"b"]}`)},
	reflect.TypeOf(meta.FieldsV1{}):        meta.FieldsV1{Raw: []byte(`{"f:a":{}}`)},
	reflect.TypeOf(meta.Duration{}):        meta.Duration{Duration: 90 * time.Second},
	reflect.TypeOf(apiextensions.JSON{}):   apiextensions.JSON{Raw: []byte(`{"x":1}`)},
	reflect.TypeOf(meta.TypeMeta{}):        meta.TypeMeta{},
}

func fill(v reflect.Value, depth int) {
	if value, found := special[v.Type()]; found {
		v.Set(reflect.ValueOf(value))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("text-%d", depth))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int32, reflect.Int64, reflect.Int:
		v.SetInt(int64(-7 * depth))
	case reflect.Float64:
		v.SetFloat(1.5)
	case reflect.Pointer:
		if depth < maxDepth {
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem(), depth+1)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte{0, 255, byte(depth)})
		} else if depth < maxDepth {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			fill(v.Index(0), depth+1)
		}
	case reflect.Map:
		if depth+3 < maxDepth {
			element := reflect.New(v.Type().Elem()).Elem()
			fill(element, depth+1)
			key := reflect.New(v.Type().Key()).Elem()
			key.SetString(fmt.Sprintf("key-%d", depth))
			v.Set(reflect.MakeMap(v.Type()))
			v.SetMapIndex(key, element)
		}
	case reflect.Struct:
		for index := 0; index < v.NumField(); index++ {
			if v.Type().Field(index).IsExported() {
				fill(v.Field(index), depth+1)
			}
		}
	}
}

type vector struct {
	Kind     string          `json:"kind"`
	Type     string          `json:"type"`
	Protobuf string          `json:"protobuf"`
	JSON     json.RawMessage `json:"json"`
}

func main() {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		core.AddToScheme, apps.AddToScheme, authorization.AddToScheme, certificates.AddToScheme,
		coordination.AddToScheme, policy.AddToScheme, rbac.AddToScheme, apiextensions.AddToScheme,
		admissionregistration.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			panic(err)
		}
	}
	encoder := protobuf.NewSerializer(scheme, scheme)
	objects := []struct {
		object runtime.Object
		name   string
	}{
		{&core.Namespace{}, "io.k8s.api.core.v1.Namespace"},
		{&core.Node{}, "io.k8s.api.core.v1.Node"},
		{&core.Pod{}, "io.k8s.api.core.v1.Pod"},
		{&core.ConfigMap{}, "io.k8s.api.core.v1.ConfigMap"},
		{&core.Secret{}, "io.k8s.api.core.v1.Secret"},
		{&core.Event{}, "io.k8s.api.core.v1.Event"},
		{&core.ServiceAccount{}, "io.k8s.api.core.v1.ServiceAccount"},
		{&apps.Deployment{}, "io.k8s.api.apps.v1.Deployment"},
		{&coordination.Lease{}, "io.k8s.api.coordination.v1.Lease"},
		{&policy.PodDisruptionBudget{}, "io.k8s.api.policy.v1.PodDisruptionBudget"},
		{&policy.Eviction{}, "io.k8s.api.policy.v1.Eviction"},
		{&rbac.ClusterRole{}, "io.k8s.api.rbac.v1.ClusterRole"},
		{&rbac.RoleBinding{}, "io.k8s.api.rbac.v1.RoleBinding"},
		{&certificates.CertificateSigningRequest{}, "io.k8s.api.certificates.v1.CertificateSigningRequest"},
		{&authorization.SubjectAccessReview{}, "io.k8s.api.authorization.v1.SubjectAccessReview"},
		{&admissionregistration.ValidatingWebhookConfiguration{}, "io.k8s.api.admissionregistration.v1.ValidatingWebhookConfiguration"},
		{&apiextensions.CustomResourceDefinition{}, "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition"},
	}
	vectors := []vector{}
	for _, entry := range objects {
		for _, filled := range []bool{false, true} {
			object := entry.object.DeepCopyObject()
			if filled {
				fill(reflect.ValueOf(object).Elem(), 0)
			}
			kinds, _, err := scheme.ObjectKinds(object)
			if err != nil {
				panic(err)
			}
			object.GetObjectKind().SetGroupVersionKind(kinds[0])
			var buffer writer
			if err := encoder.Encode(object, &buffer); err != nil {
				panic(err)
			}
			text, err := json.Marshal(object)
			if err != nil {
				panic(err)
			}
			vectors = append(vectors, vector{kinds[0].Kind, entry.name, base64.StdEncoding.EncodeToString(buffer), text})
		}
	}
	output := json.NewEncoder(os.Stdout)
	output.SetEscapeHTML(false)
	if err := output.Encode(vectors); err != nil {
		panic(err)
	}
}

type writer []byte

func (w *writer) Write(bytes []byte) (int, error) {
	*w = append(*w, bytes...)
	return len(bytes), nil
}
