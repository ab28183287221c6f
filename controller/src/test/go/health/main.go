// Judges objects as others do: kstatus as Flux and Helm 4 use it, and a health script as Argo CD runs it.
//
//	health SCRIPT OBJECTS    a file with Lua, and a file with a JSON array of objects
//
// Prints a line for each object: its name, kstatus, Argo CD's status and message, with tabs between.
package main

import (
	"fmt"
	"os"

	lua "github.com/yuin/gopher-lua"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/json" // whole numbers stay whole
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
)

func main() {
	script, err := os.ReadFile(os.Args[1])
	check(err)
	text, err := os.ReadFile(os.Args[2])
	check(err)
	var objects []map[string]any
	check(json.Unmarshal(text, &objects))
	for _, object := range objects {
		u := &unstructured.Unstructured{Object: object}
		computed, err := status.Compute(u)
		check(err)
		health, message := argo(u, string(script))
		fmt.Printf("%s\t%s\t%s\t%s\n", u.GetName(), computed.Status, health, message)
	}
}

// argo is what Argo CD shows: it asks no script about an object that is being deleted.
func argo(u *unstructured.Unstructured, script string) (string, string) {
	if u.GetDeletionTimestamp() != nil {
		return "Progressing", "Pending deletion"
	}
	l := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer l.Close()
	for name, open := range map[string]lua.LGFunction{
		lua.LoadLibName: lua.OpenPackage, lua.BaseLibName: lua.OpenBase, lua.TabLibName: lua.OpenTable, lua.StringLibName: lua.OpenString,
	} {
		check(l.CallByParam(lua.P{Fn: l.NewFunction(open), NRet: 0, Protect: true}, lua.LString(name)))
	}
	l.SetGlobal("obj", value(l, u.Object))
	check(l.DoString(script))
	result, ok := l.Get(-1).(*lua.LTable)
	if !ok {
		check(fmt.Errorf("the script returns no table"))
	}
	return l.GetField(result, "status").String(), l.GetField(result, "message").String()
}

func value(l *lua.LState, v any) lua.LValue {
	switch v := v.(type) {
	case map[string]any:
		table := l.NewTable()
		for key, each := range v {
			table.RawSetString(key, value(l, each))
		}
		return table
	case []any:
		table := l.NewTable()
		for _, each := range v {
			table.Append(value(l, each))
		}
		return table
	case string:
		return lua.LString(v)
	case bool:
		return lua.LBool(v)
	case float64:
		return lua.LNumber(v)
	case int64:
		return lua.LNumber(v)
	default:
		return lua.LNil
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "health:", err)
		os.Exit(1)
	}
}
