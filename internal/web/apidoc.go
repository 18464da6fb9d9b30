package web

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/wire"
)

// schemas makes JSON schemas of Go types as encoding/json writes them. Structs with names are kept apart and referred to.
type schemas map[string]any

func (s schemas) of(t reflect.Type) any {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return map[string]any{"type": "string", "format": "date-time"}
	case t.Kind() == reflect.Pointer:
		return s.of(t.Elem())
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Array:
		list := map[string]any{"type": "array", "items": s.of(t.Elem())}
		if t.Kind() == reflect.Array {
			list["minItems"], list["maxItems"] = t.Len(), t.Len()
		}
		return list
	case t.Kind() == reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": s.of(t.Elem())}
	case t.Kind() == reflect.String:
		return map[string]any{"type": "string"}
	case t.Kind() == reflect.Bool:
		return map[string]any{"type": "boolean"}
	case t.Kind() == reflect.Float64:
		return map[string]any{"type": "number"}
	case t.Kind() != reflect.Struct:
		return map[string]any{"type": "integer"}
	}
	if _, known := s[t.Name()]; !known {
		object := map[string]any{"type": "object", "additionalProperties": false}
		s[t.Name()] = object // before its fields, which may hold it again
		properties, required := map[string]any{}, []string{}
		s.fields(t, properties, &required)
		object["properties"] = properties
		if len(required) > 0 {
			object["required"] = required
		}
	}
	return map[string]any{"$ref": "#/components/schemas/" + t.Name()}
}

func (s schemas) fields(t reflect.Type, properties map[string]any, required *[]string) {
	for field := range t.Fields() {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous && name == "" {
			s.fields(field.Type, properties, required)
			continue
		}
		schema := s.of(field.Type)
		if strings.Contains(options, "string") {
			schema = map[string]any{"type": "string"}
		}
		if about := field.Tag.Get("doc"); about != "" {
			schema = described(schema, about)
		}
		properties[name] = schema
		if options == "" {
			*required = append(*required, name)
		}
	}
}

// described adds words to a schema.
func described(schema any, about string) any {
	out := maps.Clone(schema.(map[string]any))
	out["description"] = about
	return out
}

var pathParameter = regexp.MustCompile(`\{(\w+)\}`)

// document describes the interface for programs as OpenAPI 3.1 does. It is made from the table that is served.
func document(public string) map[string]any {
	kept, paths := schemas{}, map[string]map[string]any{}
	problem := kept.of(reflect.TypeFor[wire.Problem]())
	for _, e := range endpoints() {
		content := map[string]any{"schema": map[string]any{"type": "string", "format": "binary"}}
		switch {
		case e.lines != nil:
			var kinds []any
			for _, line := range e.lines {
				kinds = append(kinds, kept.of(reflect.TypeOf(line)))
			}
			content["schema"] = map[string]any{"oneOf": kinds, "description": "Each line."}
		case e.out != nil:
			content["schema"] = kept.of(reflect.TypeOf(e.out))
		}
		limits := map[string]any{}
		for name, about := range map[string]string{"RateLimit-Limit": "Requests at once.", "RateLimit-Remaining": "How many more there may be now.", "RateLimit-Reset": "Seconds until there may be all of them again."} {
			limits[name] = map[string]any{"description": about, "schema": map[string]any{"type": "integer"}}
		}
		operation := map[string]any{
			"operationId": operationID(e), "summary": e.title, "description": e.about,
			"responses": map[string]any{
				"200":     map[string]any{"description": "What was asked for.", "headers": limits, "content": map[string]any{e.form: content}},
				"default": map[string]any{"description": "What is wrong.", "headers": limits, "content": map[string]any{asJSON: map[string]any{"schema": problem}}},
			},
		}
		var parameters []any
		for _, found := range pathParameter.FindAllStringSubmatch(e.path, -1) {
			parameters = append(parameters, map[string]any{"name": found[1], "in": "path", "required": true, "schema": map[string]any{"type": "string"}})
		}
		for _, p := range e.query {
			kind := "string"
			if p.number {
				kind = "integer"
			}
			parameters = append(parameters, map[string]any{"name": p.name, "in": "query", "description": p.about, "schema": map[string]any{"type": kind}})
		}
		if parameters != nil {
			operation["parameters"] = parameters
		}
		if e.in != nil {
			schema := kept.of(reflect.TypeOf(e.in))
			operation["requestBody"] = map[string]any{"required": true, "content": map[string]any{asJSON: map[string]any{"schema": schema}}}
		}
		operation["security"] = []any{map[string]any{}, map[string]any{"token": []string{}}}
		if e.scope != "" {
			operation["security"] = []any{map[string]any{"token": []string{string(e.scope)}}}
		}
		if paths[apiRoot+e.path] == nil {
			paths[apiRoot+e.path] = map[string]any{}
		}
		paths[apiRoot+e.path][strings.ToLower(e.method)] = operation
	}
	// what a program sends of a command may lack what its address says
	kept["Command"].(map[string]any)["required"] = []string{"type"}
	return map[string]any{
		"openapi": "3.1.0",
		"info": map[string]any{
			"title": "Lines of Action", "version": "1",
			"description": "Play, watch and study games of Lines of Action by program. Members make tokens at /account/tokens; a token goes into the header Authorization, as Bearer. No cookie is looked at. Pages of other sites may read.",
		},
		"servers":    []any{map[string]any{"url": public}},
		"paths":      paths,
		"components": map[string]any{"schemas": kept, "securitySchemes": map[string]any{"token": map[string]any{"type": "http", "scheme": "bearer"}}},
	}
}

// operationID names an endpoint: getGamesStream.
func operationID(e endpoint) string {
	id := strings.ToLower(e.method)
	for _, part := range strings.Split(strings.Trim(e.path, "/"), "/") {
		part = strings.Trim(part, "{}")
		id += strings.ToUpper(part[:1]) + part[1:]
	}
	return id
}

// openAPI answers the description of the interface for programs.
func (s *Server) openAPI(w http.ResponseWriter, r *http.Request) {
	body, err := json.MarshalIndent(document(s.public(r)), "", " ")
	if err != nil {
		s.internal(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", asJSON)
	h.Set("Access-Control-Allow-Origin", "*")
	w.Write(body)
}

// apiDocPage is the same for people to read.
type apiDocPage struct {
	page
	Scopes    []account.Scope
	Endpoints []endpointView
	Types     []typeView
}

type endpointView struct {
	Method, Path, Scope, Title, About string
	Query                             []fieldView
	In, Form                          string
	Out                               []typeRef
}

// typeRef leads to a type: of it, or a list of it.
type typeRef struct{ Name, Of string }

type typeView struct {
	Name   string
	Fields []fieldView
}

type fieldView struct{ Name, Type, About string }

// apiPage shows the interface for programs.
func (s *Server) apiPage(w http.ResponseWriter, r *http.Request) {
	p := apiDocPage{page: s.page(r), Scopes: account.Scopes()}
	p.Title = p.T("api.title")
	types := map[reflect.Type]bool{}
	for _, e := range endpoints() {
		view := endpointView{Method: e.method, Path: apiRoot + e.path, Scope: string(e.scope), Title: e.title, About: e.about, Form: e.form}
		for _, q := range e.query {
			view.Query = append(view.Query, fieldView{Name: q.name, About: q.about})
		}
		if e.in != nil {
			view.In = typeName(reflect.TypeOf(e.in), types)
		}
		if e.out != nil {
			view.refer(e.out, types)
		}
		for _, line := range e.lines {
			view.refer(line, types)
		}
		p.Endpoints = append(p.Endpoints, view)
	}
	typeName(reflect.TypeFor[wire.Problem](), types)
	shown := map[reflect.Type]typeView{}
	for len(shown) < len(types) { // fields bring more types
		for _, t := range slices.Collect(maps.Keys(types)) {
			if _, done := shown[t]; !done {
				shown[t] = typeView{t.Name(), typeFields(t, types)}
			}
		}
	}
	p.Types = slices.SortedFunc(maps.Values(shown), func(a, b typeView) int { return strings.Compare(a.Name, b.Name) })
	s.render(w, r, http.StatusOK, "api", p)
}

// refer adds what is answered.
func (v *endpointView) refer(out any, structs map[reflect.Type]bool) {
	name := typeName(reflect.TypeOf(out), structs)
	v.Out = append(v.Out, typeRef{name, strings.TrimSuffix(name, "[]")})
}

// typeName writes a type as people read it, and notes the structs in it.
func typeName(t reflect.Type, structs map[reflect.Type]bool) string {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return "time"
	case t.Kind() == reflect.Pointer:
		return typeName(t.Elem(), structs)
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Array:
		return typeName(t.Elem(), structs) + "[]"
	case t.Kind() == reflect.Map:
		return fmt.Sprintf("{%s: %s}", typeName(t.Key(), structs), typeName(t.Elem(), structs))
	case t.Kind() == reflect.Struct:
		structs[t] = true
		return t.Name()
	case t.Kind() == reflect.String:
		return "text"
	case t.Kind() == reflect.Bool:
		return "true or false"
	}
	return "number"
}

func typeFields(t reflect.Type, structs map[reflect.Type]bool) []fieldView {
	var out []fieldView
	for field := range t.Fields() {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous && name == "" {
			out = append(out, typeFields(field.Type, structs)...)
			continue
		}
		kind := typeName(field.Type, structs)
		if options != "" {
			kind += ", may be absent"
		}
		out = append(out, fieldView{name, kind, field.Tag.Get("doc")})
	}
	return out
}
